import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { readKeys, revokeKeys } from '../data/keys.ts';
import { formatAgo, formatCountOf, formatDay } from '../data/format.ts';
import { useMay } from '../data/session.ts';
import type { ApiKey } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, Check, Field } from '../ui/controls.tsx';
import { dateDaysAgo, midnightOf } from '../ui/date-range.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { withSelected } from '../ui/selection.tsx';
import { FormError } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';

/**
 * Keys that were created in this time are selected first, because a thief who used the account lately may
 * have created them.
 */
const SUSPECT_DAYS = 7;

/** Offers to revoke API keys after a change that ends sessions, because keys outlast it. */
export interface KeyReview {
  /**
   * Reports a change. Opens the dialog if the person may revoke keys and the account has active keys;
   * otherwise, shows only the report.
   * Never fails.
   */
  offer: (report: string) => Promise<void>;
  dialog: ComponentChildren;
}

/** Returns the function that offers to revoke keys, and the dialog, which the view must render. */
export function useKeyReview(): KeyReview {
  const [review, setReview] = useState<{ report: string; keys: ApiKey[] }>();
  const may = useMay();
  return {
    async offer(report) {
      // The change was made, whether or not the keys can be read.
      const found = may('admin')
        ? await readKeys('active', { pages: Infinity }).catch(() => undefined)
        : undefined;
      if (found && found.data.length > 0) setReview({ report, keys: found.data });
      else toast(report);
    },
    dialog: review && <ReviewKeys {...review} onClose={() => setReview(undefined)} />,
  };
}

/** Returns the ids of the keys that were created on a date or later. */
function createdSince(date: string, keys: readonly ApiKey[]): Set<string> {
  const since = Date.parse(midnightOf(date) ?? '');
  return new Set(keys.filter(({ created_at }) => Date.parse(created_at) >= since).map(({ id }) => id));
}

function ReviewKeys({ report, keys, onClose }: { report: string; keys: ApiKey[]; onClose: () => void }) {
  const [since, setSince] = useState(() => dateDaysAgo(SUSPECT_DAYS));
  const [selected, setSelected] = useState(() => createdSince(since, keys));
  const { isBusy, error, submit } = useSubmission();
  const toggle = (id: string, isSelected: boolean) => setSelected(withSelected(selected, [id], isSelected));
  const revoke = async () => {
    await revokeKeys([...selected]);
    toast(selected.size === 1 ? 'The key no longer works.' : `${selected.size} keys no longer work.`);
    onClose();
  };
  return (
    <Dialog
      title="Revoke API keys?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep all keys</Button>
          <Button
            kind="danger"
            isBusy={isBusy}
            disabled={selected.size === 0}
            onClick={() => void submit(revoke)}
          >
            {selected.size === 0 ? 'Revoke' : `Revoke ${formatCountOf(selected.size, 'key')}`}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="soft">
          {report} API keys still work. Revoke the keys that you did not create or no longer trust. Programs
          that use them stop working.
        </p>
        <Field
          label="Select the keys created since"
          type="date"
          value={since}
          onValue={(date) => {
            setSince(date);
            if (midnightOf(date) !== undefined) setSelected(createdSince(date, keys));
          }}
        />
        <fieldset class="choices">
          <legend class="visually-hidden">Keys to revoke</legend>
          {keys.map(({ id, name, hint, created_at, last_used_at }) => (
            <Check
              key={id}
              label={name}
              hint={`…${hint}, created ${formatDay(created_at)}, ${last_used_at ? `used ${formatAgo(last_used_at)}` : 'never used'}`}
              checked={selected.has(id)}
              onValue={(isSelected) => toggle(id, isSelected)}
            />
          ))}
        </fieldset>
        <FormError error={error} />
      </div>
    </Dialog>
  );
}
