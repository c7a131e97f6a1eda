import {
  addRecordRoutes,
  AppError,
  notFound,
  presentKeyLimits,
  readKeyLimits,
  type Administration,
  type Routes,
  type Static,
} from '../../src/plugin.ts';
import {
  keyExample,
  KeyList,
  KeyResponse,
  KeysQuery,
  NewKeyBody,
  newKeyExample,
  NewKeyResponse,
} from './schemas.ts';

/** The largest body of a request for a key. */
const MAX_BODY_BYTES = 16_384;

type Accounts = Administration['accounts'];
type ApiKey = NonNullable<Awaited<ReturnType<Accounts['getKey']>>>;

export function mountRoutes(routes: Routes, accounts: Accounts): void {
  async function find(accountId: string, id: string): Promise<ApiKey> {
    const key = await accounts.getKey(accountId, id);
    if (!key) throw notFound('API key');
    return key;
  }

  routes.post(
    '/v1/keys',
    {
      scope: 'keys',
      audit: 'key.created',
      summary: 'Create an API key',
      operationId: 'createKey',
      description:
        'Creates a key that can do no more than the key of the request: 403 names a field that asks for more. A test key creates only test keys. A limit that is absent is that of the key of the request. The new key works only as long as that key does.',
      idempotency: {
        ignored: 'the response has the key, which the service stores only as a hash and so cannot repeat',
      },
      confirmation: 'required',
      body: NewKeyBody,
      maxBodyBytes: MAX_BODY_BYTES,
      examples: { 'limited key': newKeyExample },
      response: {
        status: 201,
        schema: NewKeyResponse,
        example: { ...keyExample, key: 'plt_live_…4fQz' },
      },
      errors: ['CONFLICT'],
    },
    async ({ account, keyId, requireScope, headers, body: { name, ...fields } }) => {
      const limits = readKeyLimits(fields);
      const creator = keyId === undefined ? undefined : await accounts.getKey(account.id, keyId);
      // The key was deleted after this request was authenticated.
      if (creator === null) throw new AppError('UNAUTHORIZED', 'the API key is not valid');
      // Another caller has no limits except its scopes.
      if (!creator) for (const scope of presentKeyLimits(limits).scopes) requireScope(scope);
      await accounts.requireRoomForKey(account.id);
      const { key, record } = await accounts.createKey(account, name.trim(), { limits, creator });
      headers.set('Cache-Control', 'no-store');
      return { ...presentKey(record), key };
    },
  );

  addRecordRoutes(routes, {
    path: '/v1/keys',
    scope: 'keys',
    noun: { one: 'key', many: 'keys' },
    records: { list: (accountId, query) => accounts.pageKeys(accountId, query), get: find },
    list: {
      query: KeysQuery,
      schema: KeyList,
      examples: [keyExample],
      present: presentKey,
      summary: 'List API keys, also revoked ones, newest first',
    },
    get: { schema: KeyResponse, example: keyExample, present: presentKey, summary: 'Read one API key' },
    remove: {
      audit: 'key.revoked',
      confirmation: 'required',
      description:
        'Revokes the key, which is rejected from the next request on, as are the keys that it created. The list still shows it.',
      async run(accountId, id, audit) {
        const { revokedAt } = await find(accountId, id);
        await (revokedAt === null ? accounts.revokeKey(id) : audit.describe());
      },
    },
  });
}

function presentKey(record: ApiKey): Static<typeof KeyResponse> {
  const { id, name, hint, ancestors, createdAt, lastUsedAt, revokedAt } = record;
  return {
    id,
    name,
    hint,
    ...presentKeyLimits(record),
    created_at: new Date(createdAt).toISOString(),
    created_by: ancestors?.[0] ?? null,
    last_used_at: toIso(lastUsedAt),
    revoked_at: toIso(revokedAt),
  };
}

function toIso(time: number | null): string | null {
  return time !== null ? new Date(time).toISOString() : null;
}
