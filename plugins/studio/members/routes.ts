import { AppError, notFound } from '../../../src/plugin.ts';
import type { Link, Member } from '../collections.ts';
import { toIso } from '../present.ts';
import { EnterBody, InvitationBody, MAX_BODY_BYTES, MemberBody } from '../schemas.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { enterAccount, type Studio } from '../studio.ts';
import type { MemberCheck } from './members.ts';
import { lowerRole, requireRole, type MemberRole } from './roles.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

/** Mounts the routes of the members of an account, and of the account in which a person works. */
export function mountMemberRoutes(studio: Studio): void {
  const { administration, links, members, origins, routes, scheme, sessions, users } = studio;

  async function presentMember({ userId, role, joinedAt }: Member, me: SignedIn) {
    const user = await users.get(userId);
    return {
      id: userId,
      email: user && (await users.emailOf(user)),
      role,
      joined_at: toIso(joinedAt),
      you: userId === me.user.id,
    };
  }

  function presentInvitation({ id, invited, memberRole, createdAt, expiresAt }: Link) {
    return {
      id,
      email: invited,
      role: memberRole,
      created_at: toIso(createdAt),
      expires_at: toIso(expiresAt),
    };
  }

  /**
   * Returns a check that a person may change a member. It reads both roles from the same record, so that they
   * are from the same moment.
   */
  const allowedBy =
    (me: SignedIn, role?: MemberRole): MemberCheck =>
    (member, all) => {
      const own = all.find(({ userId }) => userId === me.user.id)?.role ?? 'viewer';
      requireRole(lowerRole(own, me.role), 'admin');
      // Only owners make and remove owners.
      if (member.role === 'owner' || role === 'owner') requireRole(lowerRole(own, me.role), 'owner');
    };

  routes.get(
    '/studio/api/members',
    {
      scope: 'session:viewer',
      ...hidden,
      confirmation: { unneeded: 'reads email addresses and roles' },
      summary: 'List the members of the account',
    },
    async ({ request }) => {
      const me = scheme.signedIn(request);
      const found = await members.list(me.account.id);
      const presented = await Promise.all(found.map((member) => presentMember(member, me)));
      // A person is stored after their membership, so a crash in between leaves a membership alone.
      return { data: presented.filter(({ email }) => email !== null), has_more: false };
    },
  );

  routes.patch(
    '/studio/api/members/:id',
    {
      scope: 'session:admin',
      audit: 'member.role_changed',
      freesSpace: false,
      ...hidden,
      confirmation: 'required',
      summary: 'Change the role of a member',
      body: MemberBody,
    },
    async ({ request, audit, params: { id }, body: { role } }) => {
      const me = scheme.signedIn(request);
      if ((await members.roleOf(id, me.account.id)) === role) await audit.describe();
      return presentMember(await members.change(me.account.id, id, role, allowedBy(me, role)), me);
    },
  );

  routes.delete(
    '/studio/api/members/:id',
    {
      scope: 'session:viewer',
      audit: 'member.removed',
      ...hidden,
      confirmation: 'required',
      summary: 'Remove a member, or leave the account',
      response: { status: 204 },
    },
    async ({ request, audit, params: { id } }) => {
      const me = scheme.signedIn(request);
      const { id: accountId } = me.account;
      const isLeaving = id === me.user.id;
      if (!isLeaving) requireRole(me.role, 'admin');
      const user = await users.get(id);
      const others = (await members.accountsOf(id)).filter((other) => other.accountId !== accountId);
      if (user?.role === 'operator' && others.length === 0) throw lastAccountOfOperator();
      if (isLeaving) await audit.describe({ action: 'member.left' });
      const role = await members.roleOf(id, accountId);
      await members.remove(accountId, id, isLeaving ? () => {} : allowedBy(me));
      if (user) await links.revokeInvitationOf(accountId, await users.emailOf(user));
      await sessions.endAll(id, accountId);
      // Another request may have removed the person from their other accounts.
      if ((await members.accountsOf(id)).length > 0) return;
      if (user?.role === 'operator') {
        await members.add(accountId, id, role ?? 'viewer');
        throw lastAccountOfOperator();
      }
      await studio.removePerson(id);
    },
  );

  routes.get(
    '/studio/api/members/invitations',
    {
      scope: 'session:admin',
      ...hidden,
      confirmation: { unneeded: 'reads email addresses and roles, no tokens' },
      summary: 'List the unused invitations of the account',
    },
    async ({ request }) => {
      const found = await links.invitations(scheme.signedIn(request).account.id);
      return { data: found.map(presentInvitation), has_more: false };
    },
  );

  routes.post(
    '/studio/api/members/invitations',
    {
      scope: 'session:admin',
      audit: 'member.invited',
      freesSpace: false,
      ...hidden,
      confirmation: 'required',
      summary: 'Invite a person with a one-time link',
      body: InvitationBody,
      response: { status: 201 },
    },
    async ({ request, headers, body: { email, role } }) => {
      const me = scheme.signedIn(request);
      if (role === 'owner') requireRole(me.role, 'owner');
      const invited = await users.findByEmail(email);
      if (invited && (await members.roleOf(invited.id, me.account.id)))
        throw new AppError('CONFLICT', 'this person is already a member of the account');
      const { id, url, expiresAt } = await links.invite({
        accountId: me.account.id,
        email,
        memberRole: role,
        invitedBy: me.user.id,
        baseUrl: administration.publicUrl ?? origins.of(request),
      });
      headers.set('Cache-Control', 'no-store');
      return { id, url, expires_at: toIso(expiresAt) };
    },
  );

  routes.delete(
    '/studio/api/members/invitations/:id',
    {
      scope: 'session:admin',
      audit: 'invitation.revoked',
      ...hidden,
      confirmation: { unneeded: 'only ends an invitation' },
      summary: 'Revoke an invitation',
      response: { status: 204 },
    },
    async ({ request, params: { id } }) => {
      if (!(await links.revokeInvitation(scheme.signedIn(request).account.id, id)))
        throw notFound('invitation');
    },
  );

  routes.post(
    '/studio/api/session/account',
    {
      scope: 'session:viewer',
      audit: null,
      ...hidden,
      confirmation: { unneeded: 'enters another account of the person' },
      summary: 'Continue the session in another account of the person',
      body: EnterBody,
    },
    ({ request, body: { account_id: id } }) => enterAccount(studio, id, request),
  );
}

function lastAccountOfOperator(): AppError {
  return new AppError('CONFLICT', 'an operator must remain a member of at least one account');
}
