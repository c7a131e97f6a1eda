import { useEffect, useState } from 'preact/hooks';
import { ApiError, post, reasonOf } from '../data/api.ts';
import { MIN_PASSWORD_LENGTH } from '../data/passwords.ts';
import { createPasskey, hasPasskeys, type PasskeyCeremony } from '../data/passkeys.ts';
import { useResource } from '../data/resource.ts';
import { useSetSession } from '../data/session.ts';
import type { Session } from '../data/types.ts';
import { navigate } from '../router.ts';
import { Button, Field } from '../ui/controls.tsx';
import { FormError, useTitle } from '../ui/states.tsx';
import { Gate } from './gate.tsx';

interface Link {
  email: string | null;
  role: 'owner' | 'operator';
  expires_at: string;
  existing: boolean;
}

/** Renders the form of a one-time sign-in link: an email address, and a password or a passkey. */
export function RedeemLink({ token }: { token: string }) {
  useTitle('Set up your sign-in');
  const set = useSetSession();
  const link = useResource(`link ${token}`, (signal) => post<Link>('/studio/api/link', { token }, signal));
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState<'password' | 'passkey'>();
  const [error, setError] = useState('');
  const [fault, setFault] = useState<{ path: string; message: string }>();
  const knownEmail = link.data?.email;
  useEffect(() => {
    if (knownEmail) setEmail(knownEmail);
  }, [knownEmail]);

  const redeem = async (way: 'password' | 'passkey', work: () => Promise<Record<string, unknown>>) => {
    setBusy(way);
    setError('');
    setFault(undefined);
    const address = knownEmail ? {} : { email };
    try {
      const session = await post<Session>('/studio/api/link/claim', { token, ...address, ...(await work()) });
      // A link to an account with a sign-in replaces its credentials. The view offers to revoke its keys.
      navigate(link.data?.existing ? '/studio/security?changed=sign-in' : '/', { replace: true });
      set(session);
    } catch (thrown) {
      const detail = thrown instanceof ApiError ? thrown.details[0] : undefined;
      if (detail && (detail.path === 'email' || detail.path === 'password')) setFault(detail);
      else setError(reasonOf(thrown));
      setBusy(undefined);
    }
  };
  const withPassword = (event: Event) => {
    event.preventDefault();
    if (password.length < MIN_PASSWORD_LENGTH)
      return setFault({ path: 'password', message: `Use at least ${MIN_PASSWORD_LENGTH} characters.` });
    void redeem('password', async () => ({ password }));
  };
  const withPasskey = () => {
    if (!knownEmail && !email.includes('@'))
      return setFault({ path: 'email', message: 'Enter your email address.' });
    void redeem('passkey', async () => {
      const address = knownEmail ? {} : { email };
      const ceremony = await post<PasskeyCeremony>('/studio/api/link/passkey-options', { token, ...address });
      return { passkey: await createPasskey(ceremony) };
    });
  };

  if (link.error !== undefined && !link.data)
    return (
      <Gate>
        {link.error instanceof ApiError && link.error.status === 404 ? (
          <>
            <div class="gate-text">
              <h1>This link no longer works</h1>
              <p class="soft">
                It was used or has expired. The operator of this server creates a new link with this command:
              </p>
            </div>
            <pre class="command">npm run platen -- studio link --email you@example.com</pre>
          </>
        ) : (
          <>
            <div class="gate-text">
              <h1>The link could not be opened</h1>
              <p class="soft">{reasonOf(link.error)}</p>
            </div>
            <Button kind="primary" size="large" onClick={link.reload}>
              Try again
            </Button>
          </>
        )}
        <Button size="large" onClick={() => navigate('/', { replace: true })}>
          Go to the sign-in
        </Button>
      </Gate>
    );

  return (
    <Gate>
      <div class="gate-text">
        <h1>{link.data?.existing ? 'Choose a new password' : 'Welcome to Platen'}</h1>
        <p class="soft">
          {link.data?.existing
            ? 'The new password replaces the previous one.'
            : 'Set up how you sign in. It takes a minute, and your first document is next.'}
        </p>
      </div>
      <form class="stack" onSubmit={withPassword} aria-busy={link.isLoading}>
        <Field
          label="Email"
          type="email"
          name="email"
          autocomplete="username"
          required
          readOnly={Boolean(knownEmail)}
          value={email}
          onValue={setEmail}
          error={fault?.path === 'email' ? fault.message : undefined}
        />
        <Field
          label="Password"
          type="password"
          name="password"
          autocomplete="new-password"
          required
          hint={`Use at least ${MIN_PASSWORD_LENGTH} characters.`}
          value={password}
          onValue={setPassword}
          error={fault?.path === 'password' ? fault.message : undefined}
        />
        <FormError error={error} />
        <Button kind="primary" size="large" type="submit" isBusy={busy === 'password'}>
          Continue
        </Button>
        {hasPasskeys() && (
          <>
            <p class="divider">
              <span>or, without a password</span>
            </p>
            <Button size="large" icon="key" isBusy={busy === 'passkey'} onClick={withPasskey}>
              Create a passkey
            </Button>
          </>
        )}
      </form>
    </Gate>
  );
}
