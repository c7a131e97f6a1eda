import type { ComponentChildren } from 'preact';
import { post } from '../data/api.ts';
import { forget } from '../data/resource.ts';
import { navigate } from '../router.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/states.tsx';

/**
 * Renders a page of a template, with a button that copies the template into the account with a request to
 * `path` and opens the copy.
 */
export function CopyDialog(props: {
  title: string;
  text: string;
  action: string;
  path: string;
  onClose: () => void;
  /** The image of the page. */
  children: ComponentChildren;
}) {
  const { isBusy, error, submit } = useSubmission();
  const copy = async () => {
    const { id } = await post<{ id: string }>(props.path);
    forget('templates');
    props.onClose();
    navigate(`/studio/templates/${id}`);
  };
  return (
    <Dialog
      title={props.title}
      size="wide"
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => void submit(copy)}>
            {props.action}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="soft">{props.text}</p>
        <FormError error={error} />
        {props.children && (
          <div class="desk starter-desk" tabIndex={0} role="group" aria-label="Preview">
            {props.children}
          </div>
        )}
      </div>
    </Dialog>
  );
}
