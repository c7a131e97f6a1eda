import { useState } from 'preact/hooks';
import { post, reasonOf } from '../data/api.ts';
import { hasPasskeys, signWithPasskey, type PasskeyCeremony } from '../data/passkeys.ts';
import { useSetSession } from '../data/session.ts';
import type { Session, SignedOut } from '../data/types.ts';
import { Button, Field } from '../ui/controls.tsx';
import { FormError, useTitle } from '../ui/states.tsx';
import { Gate } from './gate.tsx';
import { ProviderLink, providerError } from '../ui/identity-provider.tsx';

/** Renders the view without a session. The URL stays, so the person returns to the same view. */
export function SignIn({ ended }: { ended: SignedOut['ended'] }) {
  useTitle('Sign in');
  const failure = providerError();
  return (
    <Gate>
      <div class="gate-text">
        <h1>Sign in</h1>
        <p class="soft">Sign in to use the templates, documents and API keys of your account.</p>
      </div>
      {failure && (
        <p class="note" role="alert">
          {failure}
        </p>
      )}
      {ended && !failure && (
        <p class="note" role="status">
          {ended === 'suspended'
            ? 'This account is suspended. Ask the operator of this server.'
            : 'Your session has ended. Sign in again.'}
        </p>
      )}
      <SignInForm />
      <p class="gate-note">
        To join the account of others, ask one of them for an invitation. If you have no account or cannot
        sign in, ask the operator of this server for a sign-in link. The command{' '}
        <code>npm run platen -- studio link --email you@example.com</code> creates one.
      </p>
    </Gate>
  );
}

/**
 * Renders the form that signs in with a password, a passkey or the identity provider, as the person with the
 * email address `known` or any person. At the provider, the person also accepts the invitation, if given.
 */
export function SignInForm({
  known,
  invitation,
}: {
  known?: string | undefined;
  invitation?: string | undefined;
}) {
  const set = useSetSession();
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState<'password' | 'passkey'>();
  const [error, setError] = useState('');

  const attempt = async (way: 'password' | 'passkey', work: () => Promise<Session>) => {
    setBusy(way);
    setError('');
    try {
      set(await work());
    } catch (thrown) {
      setError(reasonOf(thrown));
      setBusy(undefined);
    }
  };
  const withPassword = (event: Event) => {
    event.preventDefault();
    void attempt('password', () => post('/studio/api/sign-in', { email, password }));
  };
  const withPasskey = () =>
    void attempt('passkey', async () => {
      const ceremony = await post<PasskeyCeremony>('/studio/api/passkeys/sign-in-options');
      return post('/studio/api/passkeys/sign-in', await signWithPasskey(ceremony));
    });

  return (
    <form class="stack" onSubmit={withPassword}>
      <Field
        label="Email"
        type="email"
        name="email"
        autocomplete="username"
        required
        readOnly={known !== undefined}
        value={email}
        onValue={setEmail}
      />
      <Field
        label="Password"
        type="password"
        name="password"
        autocomplete="current-password"
        required
        value={password}
        onValue={setPassword}
      />
      <FormError error={error} />
      <Button kind="primary" size="large" type="submit" isBusy={busy === 'password'}>
        Sign in
      </Button>
      {hasPasskeys() && (
        <>
          <p class="divider">
            <span>or</span>
          </p>
          <Button size="large" icon="key" isBusy={busy === 'passkey'} onClick={withPasskey}>
            Use a passkey
          </Button>
        </>
      )}
      <ProviderLink invitation={invitation} />
    </form>
  );
}
