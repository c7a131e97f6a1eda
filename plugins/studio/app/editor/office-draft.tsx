import { useState } from 'preact/hooks';
import { ApiError, get, post, remove } from '../data/api.ts';
import type { Template } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { FormError } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { isStoredDraft } from './draft-conflict.ts';

/**
 * Tells that the template has a draft, and offers to open it, to make it current and to delete it. Renders
 * nothing for a template without a draft.
 */
export function OfficeDraft(props: {
  template: Template;
  /** Whether the sample data was changed and not saved. Opening another version would lose it. */
  isChanged: boolean;
  /** Receives the template in the version that is to be shown. */
  onOpened: (template: Template) => void;
}) {
  const { template, isChanged, onOpened } = props;
  const { isBusy, error, submit } = useSubmission();
  const [isDeleting, setDeleting] = useState(false);
  const { current_version: current, draft_version: draft } = template;
  if (draft === null) return null;
  const path = `/v1/templates/${template.id}`;
  const isDraft = isStoredDraft(template);
  const promote = async () => {
    try {
      onOpened(await post<Template>(`${path}/versions/${draft}/promote`));
      toast(`Version ${draft} is current now.`);
    } catch (thrown) {
      if (!(thrown instanceof ApiError && thrown.status === 409)) throw thrown;
      throw new Error(
        'The template was changed after this draft was stored. Upload the file as a draft again to make it current.',
        { cause: thrown },
      );
    }
  };
  const open = async () => onOpened(await get<Template>(isDraft ? path : `${path}?version=draft`));
  return (
    <div class="office-draft">
      <div class="draft-notice" role="note">
        <span>
          {isDraft
            ? `This is a draft. Documents are made from version ${current}.`
            : `Version ${draft} is a draft.`}
        </span>
        <Button
          size="small"
          disabled={isChanged}
          title={isChanged ? 'Save the sample data first' : undefined}
          onClick={() => void submit(open)}
        >
          {isDraft ? `Open version ${current}` : 'Open the draft'}
        </Button>
        <Button size="small" onClick={() => setDeleting(true)}>
          Delete the draft
        </Button>
        {isDraft && (
          <Button
            size="small"
            kind="primary"
            isBusy={isBusy}
            disabled={isChanged}
            title={isChanged ? 'Save the sample data first' : undefined}
            onClick={() => void submit(promote)}
          >
            Make it current
          </Button>
        )}
      </div>
      <FormError error={error} />
      {isDeleting && (
        <Confirm
          title="Delete the draft?"
          text={`Version ${draft} is deleted, and cannot be restored. The current version does not change.`}
          action="Delete"
          onClose={() => setDeleting(false)}
          run={async () => {
            await remove(`${path}/versions/${draft}`);
            toast('The draft was deleted.');
            onOpened(isDraft ? await get<Template>(path) : { ...template, draft_version: null });
          }}
        />
      )}
    </div>
  );
}
