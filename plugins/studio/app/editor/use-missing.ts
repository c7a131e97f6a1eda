import { useEffect, useState } from 'preact/hooks';
import type { Reads } from './missing-variables.ts';

/** Longer than the pause after which the page is printed, so that the check does not delay the print. */
const PAUSE_MS = 400;

/** The values that the HTML of a template reads. */
export interface CheckedHtml {
  /** The HTML to which the offsets refer. */
  html: string;
  reads: Reads | undefined;
}

/** Finds the values that a template reads and its sample data lacks, after a pause in the typing. `helpers` are the names of all helpers. */
export function useMissing(from: {
  html: string;
  data: Record<string, unknown>;
  helpers: ReadonlySet<string>;
  isReady: boolean;
}): CheckedHtml | undefined {
  const { html, data, helpers, isReady } = from;
  const [checked, setChecked] = useState<CheckedHtml>();
  useEffect(() => {
    if (!isReady) return;
    let isCurrent = true;
    const check = async () => {
      const { readsOf } = await import('./missing-variables.ts');
      // The code editor counts each line end as one character.
      const source = html.replaceAll(/\r\n?/g, '\n');
      if (isCurrent) setChecked({ html: source, reads: readsOf({ source, data, helpers }) });
    };
    const timer = setTimeout(() => {
      // The editor works without the check.
      check().catch(() => undefined);
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [html, data, isReady]);
  return checked;
}
