import { useEffect, useState } from 'preact/hooks';
import { get, hasCode, post, put, remove, send } from '../data/api.ts';
import { MIN_PASSWORD_LENGTH } from '../data/passwords.ts';
import { createPasskey, hasPasskeys, type PasskeyCeremony } from '../data/passkeys.ts';
import { formatAgo, formatCountOf, formatDay } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import { forgetData, readSession, useMay, useSession, useSetSession } from '../data/session.ts';
import type { List, ListedSession, Passkey, Session } from '../data/types.ts';
import { navigate, setQuery, useLocation } from '../router.ts';
import { attempt, useSubmission } from '../ui/attempt.ts';
import { Button, Field } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useIdentity } from '../ui/identity.tsx';
import { FormError, Loaded, ViewHead } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { useKeyReview } from './key-review.tsx';

/**
 * Renders the passkeys, the password and the sessions of the person, and the export and deletion of the
 * account.
 */
export function Security() {
  const { person } = useSession();
  const may = useMay();
  const { searchParams } = useLocation();
  const review = useKeyReview();
  const isNewPassword = searchParams.get('changed') === 'sign-in';
  // A sign-in link that changes the credentials of an account leads to this view.
  useEffect(() => {
    if (!isNewPassword) return;
    setQuery('changed', '');
    void attempt(() => review.offer('Your sign-in was changed, and all other sessions have ended.'));
  }, [isNewPassword]);
  return (
    <div class="page narrow">
      <ViewHead title="Sign-in and data" text={`You are signed in as ${person.email}.`} />
      <Passkeys />
      <Password />
      <Sessions />
      {may('admin') && <AccountData />}
      {review.dialog}
    </div>
  );
}

function Passkeys() {
  const { service } = useSession();
  const set = useSetSession();
  const identity = useIdentity();
  const passkeys = useResource('passkeys', (signal) => get<List<Passkey>>('/studio/api/passkeys', signal));
  const add = () =>
    attempt(async () => {
      const ceremony = await identity.confirmed(() => post<PasskeyCeremony>('/studio/api/passkeys/options'));
      const name = /Mac|iPhone|iPad/.test(navigator.platform)
        ? 'Apple device'
        : navigator.platform || 'This device';
      await post('/studio/api/passkeys', { ...(await createPasskey(ceremony)), name });
      toast('You can now sign in with this passkey.');
      passkeys.reload();
      set(await readSession());
    });
  const drop = (id: string) =>
    attempt(async () => {
      await identity.confirmed(() => remove(`/studio/api/passkeys/${id}`));
      passkeys.reload();
    });
  return (
    <section>
      <header class="section-head">
        <h2>Passkeys</h2>
        {service.passkeys_available && hasPasskeys() && (
          <Button size="small" icon="plus" onClick={() => void add()}>
            Add a passkey
          </Button>
        )}
      </header>
      <Loaded from={passkeys}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="note">
              {service.passkeys_available
                ? 'With a passkey, you sign in by unlocking your device instead of entering the password.'
                : 'Passkeys need https and a host name. They are not available at this address.'}
            </p>
          ) : (
            <ul class="panel rows">
              {data.map(({ id, name, created_at, last_used_at }) => (
                <li key={id}>
                  <span>
                    <span class="cell-title">{name}</span>
                    <span class="cell-sub">
                      Added {formatDay(created_at)},{' '}
                      {last_used_at ? `used ${formatAgo(last_used_at)}` : 'never used'}
                    </span>
                  </span>
                  <Button size="small" kind="danger" onClick={() => void drop(id)}>
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {identity.dialog}
    </section>
  );
}

function Password() {
  const session = useSession();
  const set = useSetSession();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { isBusy, error, submit } = useSubmission();
  const identity = useIdentity();
  const review = useKeyReview();
  const change = async () => {
    const body = { ...(session.has_password && { current_password: current }), password };
    const changed = () =>
      put<Session>('/studio/api/password', body).catch((thrown: unknown) => {
        if (hasCode(thrown, 'PASSWORD_WRONG')) throw new Error('The current password is wrong.');
        throw thrown;
      });
    set(await identity.confirmed(changed));
    setCurrent('');
    setPassword('');
    await review.offer('The password was changed, and all other sessions have ended.');
  };
  return (
    <section>
      <header class="section-head">
        <h2>Password</h2>
      </header>
      <form
        class="panel padded stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(change);
        }}
      >
        <input
          class="visually-hidden"
          type="email"
          autocomplete="username"
          value={session.person.email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <div class="form-grid">
          {session.has_password && (
            <Field
              label="Current password"
              type="password"
              autocomplete="current-password"
              required
              value={current}
              onValue={setCurrent}
            />
          )}
          <Field
            label="New password"
            type="password"
            autocomplete="new-password"
            hint={`Use at least ${MIN_PASSWORD_LENGTH} characters. All other sessions will end.`}
            required
            value={password}
            onValue={setPassword}
          />
        </div>
        <FormError error={error} />
        <div>
          <Button type="submit" isBusy={isBusy} disabled={password.length < MIN_PASSWORD_LENGTH}>
            {session.has_password ? 'Change the password' : 'Set a password'}
          </Button>
        </div>
      </form>
      {identity.dialog}
      {review.dialog}
    </section>
  );
}

function Sessions() {
  const review = useKeyReview();
  const sessions = useResource('sessions', (signal) =>
    get<List<ListedSession>>('/studio/api/sessions', signal),
  );
  const end = (path: string) =>
    attempt(async () => {
      await remove(path);
      sessions.reload();
    });
  const endOthers = () =>
    attempt(async () => {
      await remove('/studio/api/sessions');
      sessions.reload();
      await review.offer('All other sessions have ended.');
    });
  return (
    <section>
      <header class="section-head">
        <h2>Sessions</h2>
        {(sessions.data?.data.length ?? 0) > 1 && (
          <Button size="small" onClick={() => void endOthers()}>
            End all other sessions
          </Button>
        )}
      </header>
      <Loaded from={sessions}>
        {({ data }) => (
          <ul class="panel rows">
            {data.map((entry) => (
              <li key={entry.id}>
                <span>
                  <span class="cell-title">
                    {browserOf(entry.user_agent)}{' '}
                    {entry.current && <span class="badge good">This browser</span>}
                  </span>
                  <span class="cell-sub">
                    {entry.address}, used {formatAgo(entry.last_used_at)}
                  </span>
                </span>
                {!entry.current && (
                  <Button size="small" onClick={() => void end(`/studio/api/sessions/${entry.id}`)}>
                    End session
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {review.dialog}
    </section>
  );
}

/** Names the browser and the system of a user agent. */
function browserOf(agent: string): string {
  const browser = ['Edg', 'Firefox', 'Chrome', 'Safari'].find((name) => agent.includes(name)) ?? 'Browser';
  const system = ['Windows', 'Android', 'iPhone', 'Mac', 'Linux'].find((name) => agent.includes(name));
  const name = browser === 'Edg' ? 'Edge' : browser;
  return system ? `${name} on ${system}` : name;
}

function AccountData() {
  const { account } = useSession();
  const isOwner = useMay()('owner');
  const [isDeleting, setDeleting] = useState(false);
  const identity = useIdentity();
  const download = () =>
    attempt(async () => {
      // A download is a navigation, which cannot ask for the password.
      await identity.confirmed(() => send('GET', '/studio/api/session/confirmed'));
      const link = document.createElement('a');
      link.href = '/studio/api/account/export';
      link.download = '';
      link.click();
    });
  return (
    <section>
      <header class="section-head">
        <h2>Data of the account</h2>
      </header>
      <div class="panel padded row spread">
        <p class="soft">
          Download everything that the account {account.email} has stored as a zip archive
          {isOwner ? ', or delete the account.' : '. Only owners can delete the account.'}
        </p>
        <span class="row">
          <Button icon="download" onClick={() => void download()}>
            Export the data
          </Button>
          {isOwner && (
            <Button kind="danger" onClick={() => setDeleting(true)}>
              Delete the account
            </Button>
          )}
        </span>
      </div>
      {identity.dialog}
      {isDeleting && <DeleteAccount onClose={() => setDeleting(false)} />}
    </section>
  );
}

/** The words for the parts of an account whose names are not readable, in singular and plural. */
const PARTS: Record<string, [singular: string, plural: string]> = {
  'api-keys': ['API key', 'API keys'],
  'studio-users': ['member', 'members'],
  'studio-sessions': ['session', 'sessions'],
  'studio-links': ['one-time link', 'one-time links'],
  'studio-passkeys': ['passkey', 'passkeys'],
  'webhook-secrets': ['webhook secret', 'webhook secrets'],
  usage: ['month of usage', 'months of usage'],
  batches: ['batch', 'batches'],
  'webhook-deliveries': ['webhook delivery', 'webhook deliveries'],
  'webhook-endpoints': ['webhook endpoint', 'webhook endpoints'],
};

function countOf(name: string, count: number): string {
  const words = name.replaceAll('-', ' ');
  const [singular, plural] = PARTS[name] ?? [words.replace(/s$/, ''), words];
  return formatCountOf(count, singular, plural);
}

function DeleteAccount({ onClose }: { onClose: () => void }) {
  const { has_password: hasPassword, account } = useSession();
  const set = useSetSession();
  const data = useResource('account data', (signal) =>
    get<List<{ name: string; count: number }>>('/studio/api/account/data', signal),
  );
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { isBusy, error, submit } = useSubmission();
  const identity = useIdentity();
  const erase = async () => {
    await identity.confirmed(() =>
      post('/studio/api/account/delete', { email, ...(hasPassword && { password }) }),
    );
    await forgetData();
    set(await readSession());
    navigate('/');
  };
  return (
    <Dialog
      title="Delete this account?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            isBusy={isBusy}
            disabled={email !== account.email}
            onClick={() => void submit(erase)}
          >
            Delete everything
          </Button>
        </>
      }
    >
      <div class="stack">
        <Loaded from={data}>
          {({ data: parts }) => (
            <p class="soft">
              This cannot be undone. It erases{' '}
              {parts
                .filter(({ count }) => count > 0)
                .map(({ name, count }) => countOf(name, count))
                .join(', ') || 'the account'}
              , and all files. Members without another account lose their sign-in.
            </p>
          )}
        </Loaded>
        <Field
          label={`Type ${account.email} to confirm`}
          value={email}
          onValue={setEmail}
          autocomplete="off"
        />
        {hasPassword && (
          <Field
            label="Password"
            type="password"
            autocomplete="current-password"
            value={password}
            onValue={setPassword}
          />
        )}
        <FormError error={error} />
      </div>
      {identity.dialog}
    </Dialog>
  );
}
