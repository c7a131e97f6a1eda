import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { reasonOf } from '../data/api.ts';
import { Button, Field } from './controls.tsx';

/** Renders a modal dialog. Escape and a click outside close it. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  size?: 'wide' | 'full';
  children: ComponentChildren;
  actions?: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
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

/** Asks before an action that cannot be undone, and runs it. With `phrase`, the phrase has to be typed. */
export function Confirm(props: {
  title: string;
  text: ComponentChildren;
  action: string;
  phrase?: string;
  run: () => Promise<void>;
  onClose: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [typed, setTyped] = useState('');
  const run = async () => {
    setBusy(true);
    try {
      await props.run();
      props.onClose();
    } catch (problem) {
      setError(reasonOf(problem));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            kind="danger"
            isBusy={isBusy}
            disabled={props.phrase !== undefined && typed !== props.phrase}
            onClick={() => void run()}
          >
            {props.action}
          </Button>
        </>
      }
    >
      <div class="stack">
        <div class="soft">{props.text}</div>
        {props.phrase && (
          <Field
            label={`Type ${props.phrase} to confirm`}
            value={typed}
            onValue={setTyped}
            autocomplete="off"
          />
        )}
        {error && (
          <p class="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </Dialog>
  );
}
