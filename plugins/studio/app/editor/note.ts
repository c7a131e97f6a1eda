/** A finding about the template, with the place to correct it. */
export interface Note {
  text: string;
  fix?: { label: string; run: () => void } | undefined;
}
