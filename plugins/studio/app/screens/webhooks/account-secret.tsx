import { useState } from 'preact/hooks';
import { get, post } from '../../data/api.ts';
import { formatMoment } from '../../data/format.ts';
import { attempt } from '../../ui/attempt.ts';
import { CopyButton } from '../../ui/code-block.tsx';
import { Button } from '../../ui/controls.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useIdentity } from '../../ui/identity.tsx';

interface Secret {
  secret: string;
  previous_until: string | null;
}

/** Renders the secret of the account, which signs the messages to the `webhook` of requests. */
export function AccountSecret() {
  const [secret, setSecret] = useState<Secret>();
  const identity = useIdentity();
  const [isRotating, setRotating] = useState(false);
  const show = () =>
    attempt(async () => setSecret(await identity.confirmed(() => get<Secret>('/studio/api/webhook-secret'))));
  return (
    <section class="panel padded">
      <h2>Signing secret</h2>
      <p class="soft">
        A request with <code>"webhook": "https://…"</code> sends its result to that address. Your programs
        verify these messages with this secret. Each endpoint has a secret of its own.
      </p>
      <div class="secret plain">
        <code>{secret?.secret ?? `whsec_${'•'.repeat(28)}`}</code>
        <Button size="small" kind="quiet" onClick={() => (secret ? setSecret(undefined) : void show())}>
          {secret ? 'Hide' : 'Show'}
        </Button>
        {secret && <CopyButton text={secret.secret} />}
        <Button size="small" onClick={() => setRotating(true)}>
          Replace the secret
        </Button>
      </div>
      {secret?.previous_until && (
        <p class="hint">
          Messages are also signed with the previous secret until {formatMoment(secret.previous_until)}.
        </p>
      )}
      {isRotating && (
        <Confirm
          title="Replace the signing secret?"
          text="For 24 hours, messages are signed with both secrets, so that you have time to change your programs."
          action="Replace the secret"
          onClose={() => setRotating(false)}
          run={async () =>
            setSecret(await identity.confirmed(() => post<Secret>('/studio/api/webhook-secret/rotate')))
          }
        />
      )}
      {identity.dialog}
    </section>
  );
}
