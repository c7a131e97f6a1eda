import {
  newId,
  type Account,
  type Administration,
  type Collection,
  type Sealer,
} from '../../../src/plugin.ts';
import type { Session, StoredSession, User } from '../collections.ts';
import type { Users } from '../sign-in/users.ts';
import { SESSION_MS } from './cookie.ts';

/** The shortest time between two extensions of a session. */
const EXTEND_MS = 60_000;

/** A sign-in beyond this number ends the oldest session of the account. */
const MAX_SESSIONS = 100;
const MAX_USER_AGENT_LENGTH = 300;

/** A session with the account that is signed in. */
export interface SignedIn {
  session: Session;
  user: User;
  account: Account;
}

/**
 * Manages the sessions of signed-in browsers, which all replicas share. The database contains only the HMAC
 * of each token, so a copy of it opens no session.
 */
export interface Sessions {
  /** Starts a session with a new token. The token is not stored, so it cannot be read again. */
  start(
    user: User,
    browser: { address: string; userAgent: string | null },
  ): Promise<{ token: string; session: Session }>;
  /**
   * Returns the session of a token and extends it, or returns `null` if the session is unknown, has expired
   * or was ended.
   */
  find(token: string): Promise<SignedIn | null>;
  /** Records that the person of a session has confirmed their identity. */
  confirm(id: string): Promise<void>;
  /** Lists the sessions of a user, newest first. */
  list(user: User): Promise<Session[]>;
  /** Ends a session of an account. Returns whether it existed. */
  end(accountId: string, id: string): Promise<boolean>;
  /** Ends the session of a token, if there is one. */
  endByToken(token: string): Promise<void>;
  /** Moves a session to the current epoch of its user, so that it does not end with the earlier epoch. */
  keep(id: string, user: User): Promise<void>;
  /** Deletes the sessions of an account except the session `id`, if given. */
  endOthers(accountId: string, id?: string): Promise<void>;
}

export function createSessions({
  sessions,
  users,
  accounts,
  sealer,
}: {
  sessions: Collection<StoredSession>;
  users: Pick<Users, 'get'>;
  accounts: Administration['accounts'];
  sealer: Sealer;
}): Sessions {
  const hashOf = (token: string) => sealer.hash('session', token);
  const newestFirst = { createdAt: 'desc', id: 'desc' } as const;

  return {
    async start({ id: accountId, epoch }, { address, userAgent }) {
      const token = newId('', 43);
      const now = Date.now();
      const session: Session = {
        id: newId('sess_'),
        accountId,
        hash: hashOf(token),
        epoch,
        address,
        userAgent: (userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: now + SESSION_MS,
      };
      await sessions.insert(write(session));
      const surplus = await sessions.find({ where: { accountId }, order: newestFirst, offset: MAX_SESSIONS });
      if (surplus.length > 0) await sessions.delete({ id: { in: surplus.map(({ id }) => id) } });
      return { token, session };
    },

    async find(token) {
      const [stored] = await sessions.find({ where: { hash: hashOf(token) }, limit: 1 });
      const session = stored && read(stored);
      const user = session && (await users.get(session.accountId));
      if (!user || user.epoch !== session.epoch) return null;
      const account = await accounts.get(session.accountId);
      if (!account) return null;
      const now = Date.now();
      if (now - session.lastUsedAt < EXTEND_MS) return { session, user, account };
      const extended = await sessions
        .update({ id: session.id }, { lastUsedAt: now, expiresAt: now + SESSION_MS })
        // A request does not fail because the session cannot be extended.
        .catch(() => stored);
      return extended && { session: read(extended), user, account };
    },

    async confirm(id) {
      await sessions.update({ id }, { confirmedAt: Date.now() });
    },

    async list({ id: accountId, epoch }) {
      const found = await sessions.find({ where: { accountId, generation: epoch }, order: newestFirst });
      return found.map(read);
    },

    async end(accountId, id) {
      return (await sessions.delete({ id, accountId })) > 0;
    },

    async endByToken(token) {
      await sessions.delete({ hash: hashOf(token) });
    },

    async keep(id, { epoch }) {
      await sessions.update({ id }, { generation: epoch });
    },

    async endOthers(accountId, id) {
      const found = await sessions.find({ where: { accountId } });
      await sessions.delete({
        id: { in: found.map((session) => session.id).filter((other) => other !== id) },
      });
    },
  };
}

function read({ generation: epoch, ...session }: StoredSession): Session {
  return { ...session, epoch };
}

function write({ epoch: generation, ...session }: Session): StoredSession {
  return { ...session, generation };
}
