import { AppError, DuplicateKeyError, type Collection } from '../../../src/plugin.ts';
import type { Identity, Passkey, User } from '../collections.ts';
import type { Members } from '../members/members.ts';
import type { NewPasskey, Passkeys } from '../passkeys/passkeys.ts';
import type { Users } from '../sign-in/users.ts';
import type { RedeemedLink } from './links.ts';

/** The credentials that a person chose while redeeming a link. */
export interface Credentials {
  passwordHash?: string | undefined;
  passkey?: NewPasskey | undefined;
}

/** Stores the people who redeem links. */
export interface Enrolment {
  /**
   * Stores an invited person. The membership is stored first, so that the sign-in works as soon as it exists.
   * @throws {AppError} CONFLICT when the person has registered in the meantime, or the account is full
   */
  invited(redeemed: RedeemedLink, credentials: Credentials): Promise<User>;
  /**
   * Replaces the credentials of the person of a sign-in link, who becomes an owner of the account. Returns
   * `null` if the epoch of the link has ended.
   */
  owner(redeemed: RedeemedLink, credentials: Credentials): Promise<User | null>;
}

export function createEnrolment({
  identities,
  members,
  passkeys,
  passkeyRecords,
  removePerson,
  users,
}: {
  identities: Collection<Identity>;
  members: Members;
  passkeys: Pick<Passkeys, 'add'>;
  passkeyRecords: Collection<Passkey>;
  removePerson: (userId: string) => Promise<void>;
  users: Users;
}): Enrolment {
  /** Stores a passkey, and deletes it again if the work fails or returns `null`. */
  async function withPasskey<Result extends User | null>(
    userId: string,
    passkey: NewPasskey | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const added = passkey && (await passkeys.add(userId, passkey));
    const undo = async () => void (added && (await passkeyRecords.delete({ id: added.id })));
    try {
      const result = await work();
      if (result === null) await undo();
      return result;
    } catch (error) {
      await undo();
      throw error;
    }
  }

  async function keepOnly(userId: string, passkey: NewPasskey | undefined): Promise<void> {
    const found = await passkeyRecords.find({ where: { accountId: userId } });
    await passkeyRecords.delete({ id: { in: found.map(({ id }) => id).filter((id) => id !== passkey?.id) } });
  }

  return {
    async invited({ link, account, userId: id, email }, { passwordHash, passkey }) {
      const known = await users.findByEmail(email);
      if (known && known.id !== id) {
        if ((await members.accountsOf(known.id)).length > 0) throw registered();
        // The person lost their last account, and a crash kept their sign-in.
        await removePerson(known.id);
      }
      // Of an earlier attempt with this link.
      await passkeyRecords.delete({ accountId: id });
      return withPasskey(id, passkey, async () => {
        await members.add(account.id, id, link.memberRole ?? 'viewer');
        try {
          return await users.add({ id, email, passwordHash: passwordHash ?? null });
        } catch (error) {
          if (!(error instanceof DuplicateKeyError)) throw error;
          await members.remove(account.id, id, () => {});
          throw registered();
        }
      });
    },

    async owner({ link, account, userId }, { passwordHash, passkey }) {
      // The address of an invited person is unproven, so a link replaces every way to sign in.
      const isReplaced = userId !== account.id;
      return withPasskey(userId, passkey, async () => {
        const user = await users.enrol(userId, { role: link.role, passwordHash, epoch: link.epoch });
        if (!user) return null;
        await identities.delete({ accountId: userId });
        if (isReplaced) await keepOnly(userId, passkey);
        if (link.userId === undefined && (await members.roleOf(userId, account.id)) !== 'owner')
          await members.add(account.id, userId, 'owner');
        return user;
      });
    },
  };
}

function registered(): AppError {
  return new AppError('CONFLICT', 'this email address was registered in the meantime; open the link again');
}
