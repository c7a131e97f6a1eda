import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startFilled } from '../../support/accounts/filled-account.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { assembledRoutes } from '../../support/studio/assembled-routes.ts';
import { Browser, newLink, PASSWORD } from '../../support/studio/studio.ts';

const routes = assembledRoutes();

type Filled = Awaited<ReturnType<typeof startFilled>>;
let filled: Filled;
/** A person who is an owner of Ann's account and of an account of their own, in which they work. */
let person: Browser;
/** The ids of Ann's records by the start of the paths that take them. */
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  filled = await startFilled();
  const { service, filled: of } = filled;
  const ann = new Browser(service, {}, 'ann@example.com');
  await ann.post('/studio/api/link/claim', {
    token: await newLink(service, { email: ann.email }),
    password: PASSWORD,
  });
  person = await Browser.signedIn(service);
  const own = (await person.get('/studio/api/session')).body.account.id;
  for (const id of [own, of.accountId]) await service.accounts.update(id, { plan: 'enterprise' });
  const joined = await person.post('/studio/api/link/claim', {
    token: await ann.invite(person.email, 'owner'),
  });
  expect(joined.body.role).toBe('owner');
  const hook = await person.post('/v1/integrations/hooks', {
    target_url: filled.receiver.url('/x'),
    event: 'generation.completed',
  });
  const firstOf = async (path: string): Promise<string> => {
    const { body } = await person.get(path);
    const [first] = body.data;
    return first.id ?? first.batch_id ?? first.name;
  };
  ids = {
    '/v1/templates': of.templateId,
    '/v1/generations': of.generation.id,
    '/v1/batches': of.batchId,
    '/v1/files': await firstOf('/v1/files'),
    '/v1/assets': await firstOf('/v1/assets'),
    '/v1/certificates': await firstOf('/v1/certificates'),
    '/v1/webhook-endpoints': await firstOf('/v1/webhook-endpoints'),
    '/v1/webhooks/deliveries': await firstOf('/v1/webhooks/deliveries'),
    '/studio/api/deliveries': await firstOf('/v1/webhooks/deliveries'),
    '/v1/events': await firstOf('/v1/events'),
    '/v1/keys': await firstOf('/v1/keys'),
    '/studio/api/keys': await firstOf('/studio/api/keys'),
    '/v1/integrations/hooks': hook.body.id,
    '/studio/api/members': (await ann.get('/studio/api/session')).body.person.id,
    '/studio/api/trash': of.templateId,
  };
  await person.post('/studio/api/session/account', { account_id: own });
}, 120_000);
afterAll(() => filled[Symbol.asyncDispose]());

/** Routes whose first parameter is no record of an account, or a record that everybody may see. */
const PUBLIC =
  /^\/v1\/(?:marketplace|starter-templates)\/|^\/studio\/api\/(?:accounts|passkeys|sessions|members\/invitations)\//;

/** Returns the status and the error of a response, without the id that the request named. */
function outcomeOf({ status, body }: ApiResponse, id: string): string {
  const { error } = body ?? {};
  return JSON.stringify([status, error?.code, error?.message, error?.details]).replaceAll(id, 'ID');
}

describe('a person who works in one of two accounts', () => {
  test('gets for a record of the other account the response for an unknown record, on every route', async () => {
    const withId = routes().filter(
      ({ access, path }) => access === 'key' && path.includes('/:') && !PUBLIC.test(path),
    );
    expect(withId.length).toBeGreaterThan(35);
    for (const { method, path } of withId) {
      const [start] = Object.keys(ids)
        .filter((each) => path.startsWith(`${each}/`))
        .toSorted((a, b) => b.length - a.length);
      expect([path, start]).toEqual([path, expect.any(String)]);
      const id = ids[start ?? ''] ?? '';
      expect([path, id.length > 3]).toEqual([path, true]);
      const unknown = `${id.slice(0, -4)}0000`;
      const [foreign, missing] = await Promise.all(
        [id, unknown].map(async (each) => {
          const url = path.replace(/:\w+/, each).replaceAll(/:\w+/g, '1');
          const body = method === 'get' || method === 'delete' ? undefined : { name: 'Stolen' };
          return outcomeOf(await person.request(method.toUpperCase(), url, body), each);
        }),
      );
      expect([method, path, foreign]).toEqual([method, path, missing]);
    }
  });

  test('sees no record of the other account in a list', async () => {
    const lists = routes().filter(
      ({ access, method, path, spec }) =>
        access === 'key' && method === 'get' && !path.includes(':') && spec.scope !== 'session:operator',
    );
    expect(lists.length).toBeGreaterThan(20);
    for (const { path } of lists) {
      if (/export|marketplace|session/.test(path)) continue;
      const text = JSON.stringify((await person.get(path)).body ?? {});
      const seen = Object.values(ids).filter((id) => text.includes(id));
      expect([path, seen]).toEqual([path, []]);
    }
  });

  test('cannot use a record of the other account in a request', async () => {
    const { filled: of } = filled;
    for (const [path, body] of [
      ['/v1/generate', { template: of.templateId, data: {} }],
      ['/v1/pdf/inspect', { pdf: of.generation.id }],
      ['/v1/pdf/merge', { pdfs: [of.generation.id, of.generation.id] }],
      ['/v1/generate', { html: '<img src="asset:logo.png">', options: { strict: true } }],
    ] as const) {
      const { status } = await person.post(path, body);
      expect([path, [400, 404].includes(status)]).toEqual([path, true]);
    }
  });
});
