import {
  AppError,
  DuplicateKeyError,
  newId,
  notFound,
  presentPage,
  type Account,
} from '../../../src/plugin.ts';
import type { Role } from '../collections.ts';
import { toIso } from '../present.ts';
import { AccountChangeBody, AccountsQuery, MAX_BODY_BYTES, NewAccountBody } from '../schemas.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import type { Studio } from '../studio.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

/**
 * Names an operator in the audit log of another account. The id tells operators apart; the email address is
 * not for the account to see.
 */
function actorOf({ user }: SignedIn) {
  return { type: 'operator', id: user.id, name: 'operator' } as const;
}

/** Mounts the routes for operators: accounts, health and metrics. */
export function mountOperatorRoutes(studio: Studio): void {
  const { administration, links, metrics, origins, quota, routes, scheme, users } = studio;
  const { accounts, plans } = administration;

  async function present(account: Account) {
    const { id, email, plan, monthlyLimit, suspendedAt, createdAt } = account;
    const [used, user] = await Promise.all([quota.usedBy(account), users.get(id)]);
    const role: Role | null = user?.role ?? null;
    return {
      id,
      email,
      plan,
      monthly_limit: monthlyLimit,
      used,
      limit: monthlyLimit ?? plans[plan].monthlyLimit,
      suspended_at: toIso(suspendedAt),
      role,
      created_at: toIso(createdAt),
    };
  }

  routes.get(
    '/studio/api/accounts',
    {
      scope: 'session:operator',
      ...hidden,
      confirmation: { unneeded: 'reads email addresses and plans; changes nothing' },
      summary: 'List all accounts, newest first',
      query: AccountsQuery,
    },
    ({ query }) => presentPage(query, (page) => accounts.page({ search: query.search, ...page }), present),
  );

  routes.post(
    '/studio/api/accounts',
    {
      scope: 'session:operator',
      audit: 'account.created',
      freesSpace: false,
      ...hidden,
      confirmation: 'required',
      summary: 'Create an account',
      body: NewAccountBody,
      response: { status: 201 },
    },
    async ({ request, audit, body: { email, plan = 'free' } }) => {
      const actor = actorOf(scheme.signedIn(request));
      const id = newId('acct_');
      await audit.describe({ account: id, actor, target: id });
      try {
        return await present(await accounts.create({ id, email, plan }));
      } catch (error) {
        if (error instanceof DuplicateKeyError)
          throw new AppError('CONFLICT', 'this email address already has an account');
        throw error;
      }
    },
  );

  routes.put(
    '/studio/api/accounts/:id',
    {
      scope: 'session:operator',
      audit: 'account.changed',
      ...hidden,
      confirmation: 'required',
      summary: 'Change the plan or limit of an account, or suspend it',
      body: AccountChangeBody,
    },
    async ({ request, audit, params: { id }, body: { plan, monthly_limit: monthlyLimit, suspended } }) => {
      const operator = scheme.signedIn(request);
      if (suspended === true && [operator.user.id, operator.account.id].includes(id))
        throw new AppError('CONFLICT', 'you cannot suspend your own account');
      const known = await accounts.get(id);
      if (!known) throw notFound('account');
      const concerned = {
        target: id,
        ...(id !== operator.account.id && { account: id, actor: actorOf(operator) }),
      };
      const isOther = {
        'account.plan_changed': plan !== undefined && plan !== known.plan,
        'account.limit_changed': monthlyLimit !== undefined && monthlyLimit !== known.monthlyLimit,
        'account.suspended': suspended === true && known.suspendedAt === null,
        'account.resumed': suspended === false && known.suspendedAt !== null,
      };
      const actions = (Object.keys(isOther) as (keyof typeof isOther)[]).filter((action) => isOther[action]);
      await audit.describe(...actions.map((action) => ({ ...concerned, action })));
      const changed = await accounts.update(id, {
        ...(plan !== undefined && { plan }),
        ...(monthlyLimit !== undefined && { monthlyLimit }),
        ...(suspended !== undefined && { suspendedAt: suspended ? (known.suspendedAt ?? Date.now()) : null }),
      });
      if (!changed) throw notFound('account');
      return present(changed);
    },
  );

  routes.post(
    '/studio/api/accounts/:id/link',
    {
      scope: 'session:operator',
      audit: 'link.created',
      ...hidden,
      confirmation: 'required',
      summary: 'Create a sign-in link for an account',
      response: { status: 201 },
    },
    async ({ request, audit, headers, params: { id } }) => {
      const operator = scheme.signedIn(request);
      const account = await accounts.get(id);
      if (!account) throw notFound('account');
      const person = await links.personOf(account);
      if (id === operator.user.id || person?.id === operator.user.id)
        throw new AppError(
          'CONFLICT',
          'you cannot create a sign-in link for your own account; use: platen studio link',
        );
      if (person && person.id !== id)
        throw new AppError(
          'CONFLICT',
          'the email address belongs to a member of other accounts; invite this person, or use: platen studio link',
        );
      if (person?.role === 'operator')
        throw new AppError(
          'CONFLICT',
          'the account belongs to another operator; its link is created with: platen studio link',
        );
      await audit.describe({ account: id, actor: actorOf(operator), target: id });
      const { url, expiresAt } = await links.create({
        accountId: id,
        role: person?.role ?? 'owner',
        baseUrl: administration.publicUrl ?? origins.of(request),
      });
      headers.set('Cache-Control', 'no-store');
      return { url, expires_at: toIso(expiresAt) };
    },
  );

  routes.get(
    '/studio/api/health',
    {
      scope: 'session:operator',
      ...hidden,
      confirmation: { unneeded: 'reads states' },
      summary: 'Check each component of the service',
    },
    async () => {
      const states = Object.entries(await administration.checkHealth());
      return {
        status: states.every(([, { ok }]) => ok) ? 'ready' : 'not ready',
        version: administration.version,
        uptime_seconds: Math.floor(process.uptime()),
        parts: states.map(([name, { ok, text }]) => ({ name, ok, text })),
      };
    },
  );

  routes.get(
    '/studio/api/metrics',
    {
      scope: 'session:operator',
      ...hidden,
      confirmation: { unneeded: 'reads numbers' },
      summary: 'Read the metrics of this process',
    },
    async () => ({ data: await metrics.read(), has_more: false }),
  );
}
