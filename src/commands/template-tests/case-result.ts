/** The result of a case, as the service and `--json` give it. */
export interface CaseResult {
  /** The name of the folder of the template. */
  template: string;
  name: string;
  /** `accepted` for a case whose pages `--update` accepted. */
  status: 'equal' | 'different' | 'new' | 'failed' | 'accepted';
  error?: { code: string; message: string };
  pages: readonly CheckedPage[];
  layout: readonly { page: number | null; finding: string }[];
  /** The paths of the pictures that were written. */
  pictures: readonly string[];
}

/** The comparison of a page with the accepted one. */
export interface CheckedPage {
  page: number;
  equal: boolean;
  changed_fraction: number;
  image_url: string | null;
  diff_url: string | null;
}
