/** A remark about the template, with a button that leads to the place where it can be corrected. */
export interface Note {
  text: string;
  fix?: { label: string; run: () => void } | undefined;
}
