import { useState } from 'preact/hooks';
import { forEachOf, outcomeText } from '../data/bulk.ts';
import { send } from '../data/api.ts';
import { formatCountOf } from '../data/format.ts';
import { saveAs } from '../data/save.ts';
import { useMay } from '../data/session.ts';
import { Button } from './controls.tsx';
import { Confirm } from './dialog.tsx';
import { clearErrors, toast } from './toast.tsx';

/** The selected rows of a list. */
export interface Selection<T> {
  /** The selected rows among those that are shown. */
  rows: T[];
  has: (row: T) => boolean;
  set: (rows: readonly T[], isSelected: boolean) => void;
}

/** Returns a selection with some ids added or removed. */
export function withSelected(
  ids: ReadonlySet<string>,
  changed: readonly string[],
  isSelected: boolean,
): Set<string> {
  return new Set(isSelected ? [...ids, ...changed] : [...ids].filter((id) => !changed.includes(id)));
}

/** Returns the selected rows that are shown. Hidden rows do not count. */
export function useSelection<T extends { id: string }>(shown: readonly T[]): Selection<T> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const has = ({ id }: T) => ids.has(id);
  return {
    rows: shown.filter(has),
    has,
    set: (rows, isSelected) => {
      const changed = rows.map(({ id }) => id);
      setIds(withSelected(ids, changed, isSelected));
    },
  };
}

/** Renders the number of selected rows and the actions on all of them, or nothing if no row is selected. */
export function SelectionBar<T>(props: {
  selection: Selection<T>;
  /** The word for one row, such as "file". */
  noun: string;
  /** The path that deletes a row. */
  pathOf: (row: T) => string;
  /** The file of a row, or undefined if the row has none. */
  fileOf: (row: T) => { url: string; name: string } | undefined;
  /** Called after rows were deleted. */
  onDeleted: () => void;
}) {
  const { selection, noun } = props;
  const [isConfirming, setConfirming] = useState(false);
  const [isDownloading, setDownloading] = useState(false);
  const may = useMay();
  const { rows } = selection;
  if (rows.length === 0) return null;
  const files = rows.flatMap((row) => props.fileOf(row) ?? []);
  const report = (outcome: Parameters<typeof outcomeText>[0], verb: string) =>
    toast(outcomeText(outcome, noun, verb), { kind: outcome.failed.length > 0 ? 'error' : 'done' });
  const download = async () => {
    setDownloading(true);
    clearErrors();
    const outcome = await forEachOf(files, async ({ url, name }) => {
      const { pathname, search } = new URL(url);
      saveAs(await (await send('GET', pathname + search)).blob(), name);
    });
    report(outcome, 'downloaded');
    setDownloading(false);
  };
  const count = formatCountOf(rows.length, noun);
  return (
    <div class="selection-bar" role="region" aria-label="Selection">
      <span>{count} selected</span>
      <Button
        size="small"
        icon="download"
        isBusy={isDownloading}
        disabled={files.length === 0}
        onClick={() => void download()}
      >
        Download
      </Button>
      {may('editor') && (
        <Button size="small" icon="trash" kind="danger" onClick={() => setConfirming(true)}>
          Delete
        </Button>
      )}
      <Button size="small" kind="quiet" onClick={() => selection.set(rows, false)}>
        Clear the selection
      </Button>
      {isConfirming && (
        <Confirm
          title={`Delete ${count}?`}
          text="This cannot be undone. Links to the PDFs stop working."
          action="Delete"
          onClose={() => setConfirming(false)}
          run={async () => {
            const outcome = await forEachOf(rows, (row) => send('DELETE', props.pathOf(row)));
            selection.set(outcome.done, false);
            report(outcome, 'deleted');
            props.onDeleted();
          }}
        />
      )}
    </div>
  );
}

/** Renders the checkbox that selects rows. */
export function SelectionCheck<T>(props: { selection: Selection<T>; rows: readonly T[]; label: string }) {
  const { selection, rows } = props;
  const count = rows.filter(selection.has).length;
  return (
    <label class="select-row">
      <input
        type="checkbox"
        aria-label={props.label}
        checked={count > 0 && count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onChange={(event) => selection.set(rows, event.currentTarget.checked)}
      />
    </label>
  );
}
