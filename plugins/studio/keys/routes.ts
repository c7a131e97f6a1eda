import { AppError, invalid, notFound, presentPage } from '../../../src/plugin.ts';
import { presentKey } from '../present.ts';
import { KeysQuery, MAX_BODY_BYTES, NameBody, RevokeKeysBody } from '../schemas.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import type { Studio } from '../studio.ts';

/** The most API keys of an account that are not revoked. Simultaneous requests may exceed the limit by a few. */
const MAX_KEYS = 100;

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

/** Mounts the routes of API keys. */
export function mountKeyRoutes({ routes, scheme, administration: { accounts } }: Studio): void {
  routes.get(
    '/studio/api/keys',
    { ...hidden, summary: 'List the API keys of the account, newest first', query: KeysQuery },
    async ({ request, query: { limit, offset, status } }) => {
      const { account } = scheme.signedIn(request);
      return presentPage(
        limit,
        (count) => accounts.pageKeys(account.id, { status, limit: count, offset }),
        presentKey,
      );
    },
  );

  routes.post(
    '/studio/api/keys',
    {
      ...hidden,
      outlastsSession: true,
      summary: 'Create an API key',
      body: NameBody,
      response: { status: 201 },
    },
    async ({ request, headers, body: { name } }) => {
      const { account } = scheme.signedIn(request);
      if ((await accounts.countKeys(account.id)) >= MAX_KEYS)
        throw new AppError('CONFLICT', `the account has ${MAX_KEYS} keys; revoke one first`);
      const { key, record } = await accounts.createKey(account, name.trim());
      headers.set('Cache-Control', 'no-store');
      return { ...presentKey(record), key };
    },
  );

  routes.put(
    '/studio/api/keys/:id',
    { ...hidden, summary: 'Rename an API key', body: NameBody },
    async ({ request, params: { id }, body: { name } }) => {
      const { account } = scheme.signedIn(request);
      const key = await accounts.renameKey(account.id, id, name.trim());
      if (!key) throw notFound('API key');
      return presentKey(key);
    },
  );

  routes.delete(
    '/studio/api/keys/:id',
    { ...hidden, summary: 'Revoke an API key, which can be restored for 15 seconds' },
    async ({ request, params: { id } }) => {
      const { account, session } = scheme.signedIn(request);
      const revoked = (await accounts.getKey(account.id, id)) && (await accounts.revokeKey(id, session.id));
      if (!revoked) throw notFound('API key');
      return presentKey(revoked);
    },
  );

  routes.post(
    '/studio/api/keys/revoke',
    {
      ...hidden,
      summary: 'Revoke several API keys, or none if one of them is unknown',
      body: RevokeKeysBody,
    },
    async ({ request, body: { ids } }) => {
      const { account, session } = scheme.signedIn(request);
      const result = await accounts.revokeKeys(account.id, ids, session.id);
      if ('unknown' in result)
        throw invalid(`ids[${ids.indexOf(result.unknown)}]`, 'is not the id of an API key of this account');
      return { data: result.revoked.map(presentKey), has_more: false };
    },
  );

  routes.post(
    '/studio/api/keys/:id/restore',
    { ...hidden, summary: 'Restore an API key that was just revoked' },
    async ({ request, params: { id } }) => {
      const { account, session } = scheme.signedIn(request);
      const revoked = await accounts.getKey(account.id, id);
      if (!revoked) throw notFound('API key');
      // The key outlasts the session, so a session undoes without a confirmation only its own revocation.
      if (revoked.revokedAt !== null && revoked.revokedBy !== session.id) requireConfirmed(session);
      const key = (await accounts.restoreKey(revoked)) ?? (await accounts.getKey(account.id, id));
      if (!key) throw notFound('API key');
      if (key.revokedAt === null) return presentKey(key);
      throw new AppError('CONFLICT', 'the key was revoked more than 15 seconds ago; create a new one');
    },
  );
}
