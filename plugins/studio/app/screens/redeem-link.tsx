import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, post, reasonOf } from '../data/api.ts';
import { MIN_PASSWORD_LENGTH } from '../data/passwords.ts';
import { createPasskey, hasPasskeys, type PasskeyCeremony } from '../data/passkeys.ts';
import { ROLE_TEXTS, type MemberRole } from '../data/roles.ts';
import { forgetData, signOut, useSessionState, useSetSession } from '../data/session.ts';
import type { Session } from '../data/types.ts';
import { navigate } from '../router.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, Field } from '../ui/controls.tsx';
import { FormError, useTitle } from '../ui/states.tsx';
import { Gate } from './gate.tsx';
import { ProviderLink } from '../ui/identity-provider.tsx';
import { SignInForm } from './sign-in.tsx';

/** The account that a link invites to, and the role in it. */
interface LinkInvitation {
  account: string;
  role: MemberRole;
  invited_by: string | null;
}

interface Link {
  email: string | null;
  expires_at: string;
  existing: boolean;
  /** Without it, the link signs in. */
  invitation: LinkInvitation | null;
}

/** Renders a one-time link: the form that sets up a sign-in, or an invitation to an account. */
export function RedeemLink({ token }: { token: string }) {
  // The link stays when the data of the session is forgotten, because a sign-in can come before its use.
  const [link, setLink] = useState<Link>();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    post<Link>('/studio/api/link', { token }).then(setLink, setError);
  };
  useEffect(load, [token]);
  if (error !== undefined) return <BrokenLink error={error} onRetry={load} />;
  if (!link) return <div class="boot" role="status" aria-label="Loading" />;
  if (link.invitation && link.existing)
    return <Accept token={token} email={link.email ?? ''} invitation={link.invitation} />;
  return <NewSignIn token={token} link={link} />;
}

function BrokenLink({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  useTitle('Link');
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <Gate>
      {isMissing ? (
        <>
          <div class="gate-text">
            <h1>This link no longer works</h1>
            <p class="soft">
              It was used or revoked, or has expired. If it was an invitation, ask for a new one. The operator
              of this server creates a new sign-in link with this command:
            </p>
          </div>
          <pre class="command">npm run platen -- studio link --email you@example.com</pre>
        </>
      ) : (
        <>
          <div class="gate-text">
            <h1>The link could not be opened</h1>
            <p class="soft">{reasonOf(error)}</p>
          </div>
          <Button kind="primary" size="large" onClick={onRetry}>
            Try again
          </Button>
        </>
      )}
      <Button size="large" onClick={() => navigate('/', { replace: true })}>
        Go to the sign-in
      </Button>
    </Gate>
  );
}

/** Renders who invites to which account, with which role. */
function InvitationText({ account, role, invited_by: inviter }: LinkInvitation) {
  return (
    <p class="soft">
      {inviter && inviter !== account ? (
        <>
          {inviter} invites you to the account <strong>{account}</strong>
        </>
      ) : (
        <>
          <strong>{account}</strong> invites you to their account
        </>
      )}{' '}
      with the role <strong>{role}</strong>. You can {ROLE_TEXTS[role]}.
    </p>
  );
}

/** Renders the form for an email address, and a password or a passkey. */
function NewSignIn({ token, link }: { token: string; link: Link }) {
  const { invitation, existing } = link;
  useTitle(invitation ? 'Invitation' : 'Set up your sign-in');
  const set = useSetSession();
  const [email, setEmail] = useState(link.email ?? '');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState<'password' | 'passkey'>();
  const [error, setError] = useState('');
  const [fault, setFault] = useState<{ path: string; message: string }>();
  const knownEmail = link.email;

  const redeem = async (way: 'password' | 'passkey', work: () => Promise<Record<string, unknown>>) => {
    setBusy(way);
    setError('');
    setFault(undefined);
    const address = knownEmail ? {} : { email };
    try {
      const session = await post<Session>('/studio/api/link/claim', { token, ...address, ...(await work()) });
      // Another person may have been signed in.
      await forgetData();
      // A link to an account with a sign-in replaces its credentials. The view offers to revoke its keys.
      navigate(existing ? '/studio/security?changed=sign-in' : '/', { replace: true });
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

  return (
    <Gate>
      <div class="gate-text">
        {existing ? (
          <>
            <h1>Choose a new password</h1>
            <p class="soft">The new password replaces the previous one.</p>
          </>
        ) : invitation ? (
          <>
            <h1>You are invited</h1>
            <InvitationText {...invitation} />
            <p class="soft">Set up how you sign in to accept.</p>
          </>
        ) : (
          <>
            <h1>Welcome to Platen</h1>
            <p class="soft">Set up how you sign in. It takes a minute, and your first document is next.</p>
          </>
        )}
      </div>
      <form class="stack" onSubmit={withPassword}>
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
        {invitation && <ProviderLink invitation={token} />}
      </form>
    </Gate>
  );
}

/** Renders the invitation of a person who has a sign-in, who accepts it as this person. */
function Accept(props: { token: string; email: string; invitation: LinkInvitation }) {
  const { token, email, invitation } = props;
  useTitle('Invitation');
  const state = useSessionState();
  const set = useSetSession();
  const { isBusy, error, submit } = useSubmission();
  const accept = async () => {
    const session = await post<Session>('/studio/api/link/claim', { token });
    await forgetData();
    navigate('/', { replace: true });
    set(session);
  };
  const person = state?.signed_in ? state.person.email : undefined;
  const frame = (content: ComponentChildren) => (
    <Gate>
      <div class="gate-text">
        <h1>You are invited</h1>
        <InvitationText {...invitation} />
      </div>
      {content}
    </Gate>
  );
  if (person === undefined)
    return frame(
      <>
        <p class="note">Sign in as {email} first. Then you accept the invitation.</p>
        <SignInForm known={email} invitation={token} />
      </>,
    );
  if (person !== email)
    return frame(
      <>
        <p class="note">
          The invitation is for {email}, and you are signed in as {person}.
        </p>
        <FormError error={error} />
        <Button
          kind="primary"
          size="large"
          isBusy={isBusy}
          onClick={() => void submit(async () => set(await signOut()))}
        >
          Sign in as {email}
        </Button>
        <Button size="large" onClick={() => navigate('/', { replace: true })}>
          Stay signed in as {person}
        </Button>
      </>,
    );
  return frame(
    <>
      <p class="soft">You keep your other accounts, and choose the account below the navigation.</p>
      <FormError error={error} />
      <Button kind="primary" size="large" isBusy={isBusy} onClick={() => void submit(accept)}>
        Accept the invitation
      </Button>
      <Button size="large" onClick={() => navigate('/', { replace: true })}>
        Not now
      </Button>
    </>,
  );
}
