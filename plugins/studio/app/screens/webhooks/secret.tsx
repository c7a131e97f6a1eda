import { CopyButton } from '../../ui/code-block.tsx';
import { Button } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** The secret of an endpoint, and a sentence about it. */
export interface ShownSecret {
  secret: string;
  note?: string;
}

/** Renders the secret with which a program verifies the messages to an endpoint. */
export function SecretDialog({ secret, note, onClose }: ShownSecret & { onClose: () => void }) {
  return (
    <Dialog
      title="Secret of the endpoint"
      size="wide"
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="stack">
        <p class="soft">
          Your program verifies the messages to this endpoint with its secret, for example with a{' '}
          <code>standardwebhooks</code> library. {note}
        </p>
        <div class="secret">
          <code>{secret}</code>
          <CopyButton text={secret} label="Copy secret" kind="primary" />
        </div>
      </div>
    </Dialog>
  );
}
