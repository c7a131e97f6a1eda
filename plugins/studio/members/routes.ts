import { AppError, notFound, type Account } from '../../../src/plugin.ts';
import type { Link, Member } from '../collections.ts';
import { toIso } from '../present.ts';
import { EnterBody, InvitationBody, MAX_BODY_BYTES, MemberBody } from '../schemas.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { enterAccount, type Studio } from '../studio.ts';
import { isAtLeast, type MemberRole } from './roles.ts';

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

  /** @throws {AppError} NOT_FOUND */
  async function memberOf(account: Account, userId: string): Promise<Member> {
    const found = (await members.list(account.id)).find((member) => member.userId === userId);
    if (!found) throw notFound('member');
    return found;
  }

  /** Requires that a member may give or take a role: only owners make and remove owners. */
  function requireOver({ role: own }: SignedIn, ...roles: readonly MemberRole[]): void {
    if (roles.every((role) => isAtLeast(own, role))) return;
    const message = `needs the role "owner"; your role in this account is "${own}"`;
    throw new AppError('FORBIDDEN', `this ${message}`, {
      details: [{ path: '', code: 'MISSING_ROLE', message }],
    });
  }

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
      const known = await memberOf(me.account, id);
      requireOver(me, known.role, role);
      if (known.role === role) await audit.describe();
      return presentMember(await members.set(me.account.id, id, role), me);
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
      const isLeaving = id === me.user.id;
      if (!isLeaving) requireOver(me, 'admin');
      const known = await memberOf(me.account, id);
      if (!isLeaving) requireOver(me, known.role);
      const user = await users.get(id);
      const others = (await members.accountsOf(id)).filter(({ accountId }) => accountId !== me.account.id);
      if (user?.role === 'operator' && others.length === 0)
        throw new AppError('CONFLICT', 'an operator must stay a member of an account');
      if (isLeaving) await audit.describe({ action: 'member.left' });
      await members.remove(me.account.id, id);
      await sessions.endAll(id, me.account.id);
      if (others.length === 0) await studio.removePerson(id);
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
      requireOver(me, role);
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
