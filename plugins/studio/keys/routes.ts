import {
  AppError,
  invalid,
  notFound,
  presentKeyLimits,
  presentPage,
  readKeyLimits,
} from '../../../src/plugin.ts';
import { toIso } from '../present.ts';
import { KeysQuery, MAX_BODY_BYTES, NameBody, NewKeyBody, RevokeKeysBody } from '../schemas.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import type { Studio } from '../studio.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

export function mountKeyRoutes({ routes, scheme, administration: { accounts } }: Studio): void {
  /** Describes an API key without the key itself. */
  function presentKey(record: Awaited<ReturnType<typeof accounts.pageKeys>>['records'][number]) {
    const { id, name, hint, createdAt, lastUsedAt, revokedAt } = record;
    return {
      id,
      name,
      hint,
      created_at: toIso(createdAt),
      last_used_at: toIso(lastUsedAt),
      revoked_at: toIso(revokedAt),
      restorable_until: toIso(accounts.restorableUntil(record)),
      ...presentKeyLimits(record),
      created_by: record.ancestors?.[0] ?? null,
    };
  }

  routes.get(
    '/studio/api/keys',
    {
      scope: 'session:admin',
      ...hidden,
      confirmation: { unneeded: 'lists names, no keys' },
      summary: 'List the API keys of the account, newest first',
      query: KeysQuery,
    },
    async ({ request, query }) => {
      const { account } = scheme.signedIn(request);
      return presentPage(
        query,
        (page) => accounts.pageKeys(account.id, { status: query.status, ...page }),
        presentKey,
      );
    },
  );

  routes.post(
    '/studio/api/keys',
    {
      scope: 'session:admin',
      audit: 'key.created',
      freesSpace: false,
      ...hidden,
      confirmation: 'required',
      summary: 'Create an API key',
      body: NewKeyBody,
      response: { status: 201 },
    },
    async ({ request, headers, body: { name, ...fields } }) => {
      const { account } = scheme.signedIn(request);
      const limits = readKeyLimits(fields);
      await accounts.requireRoomForKey(account.id);
      const { key, record } = await accounts.createKey(account, name.trim(), { limits });
      headers.set('Cache-Control', 'no-store');
      return { ...presentKey(record), key };
    },
  );

  routes.put(
    '/studio/api/keys/:id',
    {
      scope: 'session:admin',
      audit: 'key.renamed',
      freesSpace: false,
      ...hidden,
      confirmation: { unneeded: 'changes a name' },
      summary: 'Rename an API key',
      body: NameBody,
    },
    async ({ request, params: { id }, body: { name } }) => {
      const { account } = scheme.signedIn(request);
      const key = await accounts.renameKey(account.id, id, name.trim());
      if (!key) throw notFound('API key');
      return presentKey(key);
    },
  );

  routes.delete(
    '/studio/api/keys/:id',
    {
      scope: 'session:admin',
      audit: 'key.revoked',
      ...hidden,
      confirmation: { unneeded: 'must be possible at once; can be undone' },
      summary: 'Revoke an API key, which can be restored for 15 seconds',
    },
    async ({ request, audit, params: { id } }) => {
      const { account, session } = scheme.signedIn(request);
      const key = await accounts.getKey(account.id, id);
      if (!key) throw notFound('API key');
      if (key.revokedAt === null) return presentKey((await accounts.revokeKey(id, session.id)) ?? key);
      await audit.describe();
      return presentKey(key);
    },
  );

  routes.post(
    '/studio/api/keys/revoke',
    {
      scope: 'session:admin',
      audit: 'key.revoked',
      ...hidden,
      confirmation: { unneeded: 'only ends access, and must be possible at once' },
      summary: 'Revoke several API keys, or none if one of them is unknown',
      body: RevokeKeysBody,
    },
    async ({ request, audit, body: { ids } }) => {
      const { account, session } = scheme.signedIn(request);
      const found = await Promise.all(ids.map((id) => accounts.getKey(account.id, id)));
      const unknown = found.indexOf(null);
      if (unknown !== -1) throw invalid(`ids[${unknown}]`, 'is not the id of an API key of this account');
      const keys = found.filter((key) => key !== null);
      const active = keys.filter(({ revokedAt }) => revokedAt === null);
      await audit.describe(...active.map(({ id }) => ({ target: id })));
      const revoked = await Promise.all(active.map(({ id }) => accounts.revokeKey(id, session.id)));
      const changed = new Map(revoked.map((key) => [key?.id, key]));
      return { data: keys.map((key) => presentKey(changed.get(key.id) ?? key)), has_more: false };
    },
  );

  routes.post(
    '/studio/api/keys/:id/restore',
    {
      scope: 'session:admin',
      audit: 'key.restored',
      freesSpace: false,
      ...hidden,
      confirmation: {
        unneeded: 'only undoes a revocation of the same session; any other needs a confirmation',
      },
      summary: 'Restore an API key that was just revoked',
    },
    async ({ request, audit, params: { id } }) => {
      const { account, session } = scheme.signedIn(request);
      const revoked = await accounts.getKey(account.id, id);
      if (!revoked) throw notFound('API key');
      if (revoked.revokedAt === null) await audit.describe();
      // The key outlasts the session, so a session undoes without a confirmation only its own revocation.
      if (revoked.revokedAt !== null && revoked.revokedBy !== session.id) requireConfirmed(session);
      const key = (await accounts.restoreKey(revoked)) ?? (await accounts.getKey(account.id, id));
      if (!key) throw notFound('API key');
      if (key.revokedAt === null) return presentKey(key);
      throw new AppError('CONFLICT', 'the key was revoked more than 15 seconds ago; create a new one');
    },
  );
}
