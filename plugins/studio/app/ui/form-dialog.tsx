import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { FormError } from './states.tsx';

/** Renders a modal dialog with a form. The caller validates and sends the fields in `onSubmit`. */
export function FormDialog(props: {
  title: string;
  size?: 'wide';
  /** The label of the button that sends the form. */
  action: string;
  isBusy: boolean;
  error: string;
  onSubmit: () => void;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <Dialog
      title={props.title}
      {...(props.size && { size: props.size })}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} isBusy={props.isBusy}>
            {props.action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        {props.children}
        <FormError error={props.error} />
      </form>
    </Dialog>
  );
}
