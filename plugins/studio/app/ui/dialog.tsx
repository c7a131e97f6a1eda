import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useSubmission } from './attempt.ts';
import { Button } from './controls.tsx';
import { FormError } from './states.tsx';

/** Renders a modal dialog. Escape or a click outside the dialog closes it. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  size?: 'wide' | 'full';
  children: ComponentChildren;
  actions?: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const title = useId();
  // The dialog opens before the effects of its content run, so a field can take the focus from the first
  // button of the dialog.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={['dialog', props.size].filter(Boolean).join(' ')}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === element.current) props.onClose();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={title}>{props.title}</h2>
          <Button kind="quiet" icon="close" aria-label="Close" onClick={props.onClose} />
        </header>
        <div class="dialog-content">{props.children}</div>
        {props.actions && <footer class="dialog-actions">{props.actions}</footer>}
      </div>
    </dialog>
  );
}

/** Asks for confirmation of an action with serious consequences, and runs it. */
export function Confirm(props: {
  title: string;
  text: ComponentChildren;
  action: string;
  run: () => Promise<void>;
  onClose: () => void;
}) {
  const { isBusy, error, submit } = useSubmission();
  const run = async () => {
    await props.run();
    props.onClose();
  };
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="danger" isBusy={isBusy} onClick={() => void submit(run)}>
            {props.action}
          </Button>
        </>
      }
    >
      <div class="stack">
        <div class="soft">{props.text}</div>
        <FormError error={error} />
      </div>
    </Dialog>
  );
}
