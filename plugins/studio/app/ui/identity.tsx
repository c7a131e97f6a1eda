import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { needsConfirmation, post } from '../data/api.ts';
import { hasPasskeys, signWithPasskey, type PasskeyCeremony } from '../data/passkeys.ts';
import { useSession } from '../data/session.ts';
import { useSubmission } from './attempt.ts';
import { Button, Field } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { FormError } from './states.tsx';
import { ProviderLink } from './identity-provider.tsx';

/**
 * Runs work for which the service may ask the person to confirm their identity, and provides the dialog that
 * asks.
 */
export interface Identity {
  /**
   * Runs work. If the service requires a confirmation, asks the person and runs the work again.
   * @throws {Error} when the person cancels
   */
  confirmed: <T>(work: () => Promise<T>) => Promise<T>;
  dialog: ComponentChildren;
}

/** Returns the function that runs work with confirmation, and the dialog, which the view must render. */
export function useIdentity(): Identity {
  const [asking, setAsking] = useState<{ done: () => void; cancel: () => void }>();
  return {
    async confirmed(work) {
      try {
        return await work();
      } catch (error) {
        if (!needsConfirmation(error)) throw error;
      }
      try {
        await new Promise<void>((resolve, reject) =>
          setAsking({ done: resolve, cancel: () => reject(new Error('Nothing was changed.')) }),
        );
      } finally {
        setAsking(undefined);
      }
      return work();
    },
    dialog: asking && <ConfirmIdentity onConfirmed={asking.done} onClose={asking.cancel} />,
  };
}

function ConfirmIdentity({ onConfirmed, onClose }: { onConfirmed: () => void; onClose: () => void }) {
  const { person, has_password: hasPassword, passkeys } = useSession();
  const [password, setPassword] = useState('');
  const { isBusy, error, submit } = useSubmission();
  const confirm = (proof: () => Promise<object>) =>
    submit(async () => {
      await post('/studio/api/session/confirm', await proof());
      onConfirmed();
    });
  const withPasskey = async () => {
    const ceremony = await post<PasskeyCeremony>('/studio/api/passkeys/sign-in-options');
    return { passkey: await signWithPasskey(ceremony) };
  };
  return (
    <Dialog title="Confirm your identity" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void confirm(async () => ({ password }));
        }}
      >
        <p class="soft">You signed in as {person.email} more than a few minutes ago.</p>
        {hasPassword && (
          <Field
            label="Your password"
            type="password"
            autocomplete="current-password"
            required
            autofocus
            value={password}
            onValue={setPassword}
          />
        )}
        <FormError error={error} />
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <ProviderLink confirm />
          {passkeys > 0 && hasPasskeys() && (
            <Button icon="key" isBusy={isBusy} onClick={() => void confirm(withPasskey)}>
              Use a passkey
            </Button>
          )}
          {hasPassword && (
            <Button kind="primary" type="submit" isBusy={isBusy} disabled={password === ''}>
              Confirm
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
