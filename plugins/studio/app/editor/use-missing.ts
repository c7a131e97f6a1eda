import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { reasonOf } from '../data/api.ts';
import { toast } from '../ui/toast.tsx';
import type { CodeMarks } from './code-editor.tsx';
import { marksOf, missingNotes } from './faults.ts';
import { HELPER_NAMES } from './handlebars.ts';
import type { CheckedHtml } from './missing-variables.ts';
import type { Note } from './note.ts';

/** Longer than the pause after which the page is printed, so that the check does not delay the print. */
const PAUSE_MS = 400;

/**
 * Finds the values that a template reads and its sample data lacks, after a pause in the typing. Returns
 * marks and notes that offer to add sample values; `onData` receives the data with the values.
 */
export function useMissing(from: {
  html: string;
  data: Record<string, unknown>;
  isReady: boolean;
  onData: (data: Record<string, unknown>) => void;
}): { marks: CodeMarks | undefined; notes: Note[] } {
  const { html, data, isReady } = from;
  const [checked, setChecked] = useState<CheckedHtml>();
  useEffect(() => {
    if (!isReady) return;
    let isCurrent = true;
    const check = async () => {
      const { readsOf } = await import('./missing-variables.ts');
      // The code editor counts each line end as one character.
      const source = html.replaceAll(/\r\n?/g, '\n');
      if (isCurrent) setChecked({ html: source, reads: readsOf({ source, data, helpers: HELPER_NAMES }) });
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

  const add = (paths: readonly (readonly string[])[]) => {
    const reads = checked?.reads;
    if (!reads) return;
    import('./sample-values.ts').then(
      ({ addSamples }) => from.onData(addSamples(data, { add: paths, reads })),
      (error: unknown) => toast(reasonOf(error), { kind: 'error' }),
    );
  };
  const latestAdd = useRef(add);
  latestAdd.current = add;
  const marks = useMemo(() => checked && marksOf(checked, (path) => latestAdd.current([path])), [checked]);
  return { marks, notes: missingNotes(checked?.reads?.missing ?? [], add) };
}
