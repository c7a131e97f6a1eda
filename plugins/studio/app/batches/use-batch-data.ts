import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isAborted, reasonOf } from '../data/api.ts';
import { formatCountOf } from '../data/format.ts';
import type { Template } from '../data/types.ts';
import { columnsFor, type Column } from './records/columns.ts';
import { prepare, type Prepared } from './records/prepare.ts';
import { readSource, type Input, type Source } from './records/source.ts';
import { fieldsOf, requiredOf, type TemplateField } from './records/template-fields.ts';

/** The data of a batch. It is read and written in the background. */
export interface BatchData {
  source: Source | undefined;
  /** The columns of CSV. */
  columns: readonly Column[];
  fields: readonly TemplateField[];
  /** The data as it is sent, once it was checked. */
  prepared: Prepared | undefined;
  /** Describes the work in progress; `undefined` when the work has ended. */
  progress: string | undefined;
  /** Why the data cannot be used. */
  error: string | undefined;
  setColumns: (columns: Column[]) => void;
}

/** A short pause, so that typing does not start the work with each key. */
const TYPING_MS = 200;

/**
 * Reads the data of a batch, assigns its columns to the fields of the template, and prepares the data to be
 * sent. Each change ends the work and starts it again.
 */
export function useBatchData(input: Input | undefined, template: Template | undefined): BatchData {
  const fields = useMemo(() => (template ? fieldsOf(template) : []), [template]);
  const reading = useWork(input, (given, signal, report) =>
    readSource(given, { signal, onProgress: (count) => report(`${formatCountOf(count, 'document')} read…`) }),
  );
  const source = reading.result;
  const [edited, setEdited] = useState<{ of: Source; template: string | undefined; columns: Column[] }>();
  const columns = useMemo(() => {
    if (!source) return [];
    const isEdited = edited?.of === source && edited.template === template?.id;
    return isEdited ? edited.columns : columnsFor(source.header, fields);
  }, [source, fields, edited, template]);
  const recipe = useMemo(
    () => source && { source, columns, fields, required: requiredOf(template?.schema ?? {}) },
    [source, columns, fields, template],
  );
  const preparing = useWork(recipe, (given, signal, report) => {
    report('Checking the documents…');
    return prepare(given, signal);
  });
  return {
    source,
    columns,
    fields,
    prepared: preparing.result,
    progress: reading.progress ?? preparing.progress,
    error: reading.error ?? preparing.error,
    setColumns: (next) => source && setEdited({ of: source, template: template?.id, columns: next }),
  };
}

/** Work in the background: its result, its failure, or a description of its progress. */
interface Work<T> {
  result?: T;
  progress?: string;
  error?: string;
}

/** Does work for a value. The result for an earlier value is not returned. */
function useWork<T extends object, R>(
  value: T | undefined,
  work: (value: T, signal: AbortSignal, report: (progress: string) => void) => Promise<R>,
): Work<R> {
  const [state, setState] = useState<Work<R> & { of?: T }>({});
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (!value) return;
    const controller = new AbortController();
    const { signal } = controller;
    const set = (next: Work<R>) => {
      if (!signal.aborted) setState({ ...next, of: value });
    };
    const timer = setTimeout(() => {
      latest
        .current(value, signal, (progress) => set({ progress }))
        .then(
          (result) => set({ result }),
          (error: unknown) => {
            if (!isAborted(error)) set({ error: reasonOf(error) });
          },
        );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [value]);
  if (!value) return {};
  return state.of === value ? state : { progress: 'Reading…' };
}
