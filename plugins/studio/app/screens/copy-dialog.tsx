import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { post, reasonOf } from '../data/api.ts';
import { forget } from '../data/resource.ts';
import { navigate } from '../router.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';

/** Shows a page of a template, copies the template into the account with a request to `path`, and opens the copy. */
export function CopyDialog(props: {
  title: string;
  text: string;
  action: string;
  path: string;
  onClose: () => void;
  /** The image of the page. */
  children: ComponentChildren;
}) {
  const [isBusy, setBusy] = useState(false);
  const copy = async () => {
    setBusy(true);
    try {
      const { id } = await post<{ id: string }>(props.path);
      forget('templates');
      props.onClose();
      navigate(`/studio/templates/${id}`);
    } catch (error) {
      toast(reasonOf(error), { kind: 'error' });
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={props.title}
      size="wide"
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => void copy()}>
            {props.action}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="soft">{props.text}</p>
        {props.children && (
          <div class="desk starter-desk" tabIndex={0} role="group" aria-label="Preview">
            {props.children}
          </div>
        )}
      </div>
    </Dialog>
  );
}
