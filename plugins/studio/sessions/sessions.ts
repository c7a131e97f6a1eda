import {
  newId,
  type Account,
  type Administration,
  type Collection,
  type Sealer,
} from '../../../src/plugin.ts';
import type { Session, StoredSession, User } from '../collections.ts';
import type { Members } from '../members/members.ts';
import { lowerRole, type MemberRole } from '../members/roles.ts';
import type { Users } from '../sign-in/users.ts';
import { SESSION_MS } from './cookie.ts';

/** The shortest time between two extensions of a session. */
const EXTEND_MS = 60_000;

/** A sign-in beyond this number ends the oldest session of the person. */
const MAX_SESSIONS = 100;
const MAX_USER_AGENT_LENGTH = 300;

/** A person whose browser is signed in, the account in which the person works, and their role in it. */
export interface SignedIn {
  session: Session;
  user: User;
  /** The email address of the person. */
  email: string;
  account: Account;
  role: MemberRole;
}

/** Names a person in the audit log. */
export function actorOf({ user, email }: Pick<SignedIn, 'user' | 'email'>) {
  return { type: 'member', id: user.id, name: email } as const;
}

/**
 * Manages the sessions of signed-in browsers, which all replicas share. The database contains only the HMAC
 * of each token, so a copy of it opens no session.
 */
export interface Sessions {
  /** Starts a session with a new token. The token is not stored, so it cannot be read again. */
  start(
    user: User,
    accountId: string,
    browser: { address: string; userAgent: string | null; confirmedAt?: number | undefined },
  ): Promise<{ token: string; session: Session }>;
  /**
   * Returns the session of a token and extends it, or returns `null` if the session is unknown, has expired
   * or was ended, or the person is no longer a member of the account.
   */
  find(token: string): Promise<SignedIn | null>;
  /** Records that the person of a session has confirmed their identity. */
  confirm(id: string): Promise<void>;
  /** Lists the sessions of a user, newest first. */
  list(user: User): Promise<Session[]>;
  /** Continues a session in another account of the person. */
  enter(id: string, accountId: string): Promise<void>;
  /** Ends a session of a person. Returns whether it existed. */
  end(userId: string, id: string): Promise<boolean>;
  /** Ends the sessions of a person, or only those in which the person works in an account. */
  endAll(userId: string, accountId?: string): Promise<void>;
  /** Ends the session of a token, if there is one. */
  endByToken(token: string): Promise<void>;
  /** Moves a session to the current epoch of its user, so that it does not end with the earlier epoch. */
  keep(id: string, user: User): Promise<void>;
  /** Deletes the sessions of a person except the session `id`, if given. */
  endOthers(userId: string, id?: string): Promise<void>;
}

export function createSessions({
  sessions,
  users,
  members,
  accounts,
  sealer,
}: {
  sessions: Collection<StoredSession>;
  users: Pick<Users, 'get' | 'emailOf'>;
  members: Pick<Members, 'roleOf'>;
  accounts: Pick<Administration['accounts'], 'get'>;
  sealer: Sealer;
}): Sessions {
  const hashOf = (token: string) => sealer.hash('session', token);
  const newestFirst = { createdAt: 'desc', id: 'desc' } as const;

  return {
    async start({ id: userId, epoch }, accountId, { address, userAgent, confirmedAt }) {
      const token = newId('', 43);
      const now = Date.now();
      const session: Session = {
        id: newId('sess_'),
        userId,
        accountId,
        ...(confirmedAt !== undefined && { confirmedAt }),
        hash: hashOf(token),
        epoch,
        address,
        userAgent: (userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: now + SESSION_MS,
      };
      await sessions.insert(write(session));
      const surplus = await sessions.find({
        where: { accountId: userId },
        order: newestFirst,
        offset: MAX_SESSIONS,
      });
      if (surplus.length > 0) await sessions.delete({ id: { in: surplus.map(({ id }) => id) } });
      return { token, session };
    },

    async find(token) {
      const [stored] = await sessions.find({ where: { hash: hashOf(token) }, limit: 1 });
      const session = stored && read(stored);
      const user = session && (await users.get(session.userId));
      if (!user || user.epoch !== session.epoch) return null;
      const account = await accounts.get(session.accountId);
      const memberRole = await members.roleOf(user.id, session.accountId);
      if (!account || !memberRole) return null;
      const email = user.id === account.id && !user.email ? account.email : await users.emailOf(user);
      const role = lowerRole(memberRole, user.highestRole ?? memberRole);
      const found = { user, email, account, role };
      const now = Date.now();
      if (now - session.lastUsedAt < EXTEND_MS) return { session, ...found };
      const extended = await sessions
        .update({ id: session.id }, { lastUsedAt: now, expiresAt: now + SESSION_MS })
        // A request does not fail because the session cannot be extended.
        .catch(() => stored);
      return extended && { session: read(extended), ...found };
    },

    async confirm(id) {
      await sessions.update({ id }, { confirmedAt: Date.now() });
    },

    async list({ id: userId, epoch }) {
      const where = { accountId: userId, generation: epoch };
      const found = await sessions.find({ where, order: newestFirst });
      return found.map(read);
    },

    async enter(id, accountId) {
      await sessions.update({ id }, { memberOf: accountId });
    },

    async end(userId, id) {
      return (await sessions.delete({ id, accountId: userId })) > 0;
    },

    async endAll(userId, accountId) {
      const found = await sessions.find({ where: { accountId: userId } });
      const ended = found.map(read).filter((each) => accountId === undefined || each.accountId === accountId);
      await sessions.delete({ id: { in: ended.map(({ id }) => id) } });
    },

    async endByToken(token) {
      await sessions.delete({ hash: hashOf(token) });
    },

    async keep(id, { epoch }) {
      await sessions.update({ id }, { generation: epoch });
    },

    async endOthers(userId, id) {
      const found = await sessions.find({ where: { accountId: userId } });
      await sessions.delete({
        id: { in: found.map((session) => session.id).filter((other) => other !== id) },
      });
    },
  };
}

function read({ generation: epoch, accountId: userId, memberOf = userId, ...rest }: StoredSession): Session {
  return { ...rest, userId, accountId: memberOf, epoch };
}

function write({ epoch: generation, userId, accountId: memberOf, ...rest }: Session): StoredSession {
  return { ...rest, accountId: userId, ...(memberOf !== userId && { memberOf }), generation };
}
