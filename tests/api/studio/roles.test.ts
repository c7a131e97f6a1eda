import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble, type Assembly } from '../../../src/assembly.ts';
import { loadConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/log.ts';
import { MEMBER_ROLES, type MemberRole } from '../../../plugins/studio/members/roles.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { Browser } from '../../support/studio/studio.ts';

const service = extendedService();

/** The least role for each part of the API, by the start of the path: to read, and to do anything else. */
const API: readonly (readonly [start: string, read: MemberRole, write: MemberRole])[] = [
  ['/v1/certificates', 'editor', 'admin'],
  ['/v1/webhook', 'admin', 'admin'],
  ['/v1/events', 'admin', 'admin'],
  ['/v1/integrations', 'admin', 'admin'],
  ['/v1/keys', 'admin', 'admin'],
  ['/v1/audit', 'admin', 'admin'],
  ['/v1/', 'viewer', 'editor'],
];

/** The least role for each route of the studio that needs a session. */
const STUDIO: Readonly<Record<string, MemberRole | 'operator'>> = {
  'GET /studio/api/session/confirmed': 'viewer',
  'POST /studio/api/session/confirm': 'viewer',
  'POST /studio/api/session/account': 'viewer',
  'PUT /studio/api/password': 'viewer',
  'GET /studio/api/sessions': 'viewer',
  'DELETE /studio/api/sessions': 'viewer',
  'DELETE /studio/api/sessions/:id': 'viewer',
  'GET /studio/api/passkeys': 'viewer',
  'POST /studio/api/passkeys': 'viewer',
  'POST /studio/api/passkeys/options': 'viewer',
  'PUT /studio/api/passkeys/:id': 'viewer',
  'DELETE /studio/api/passkeys/:id': 'viewer',
  'GET /studio/api/members': 'viewer',
  // Members of every role may leave; see members.test.ts.
  'DELETE /studio/api/members/:id': 'admin',
  'PATCH /studio/api/members/:id': 'admin',
  'GET /studio/api/members/invitations': 'admin',
  'POST /studio/api/members/invitations': 'admin',
  'DELETE /studio/api/members/invitations/:id': 'admin',
  'GET /studio/api/keys': 'admin',
  'POST /studio/api/keys': 'admin',
  'POST /studio/api/keys/revoke': 'admin',
  'PUT /studio/api/keys/:id': 'admin',
  'DELETE /studio/api/keys/:id': 'admin',
  'POST /studio/api/keys/:id/restore': 'admin',
  'GET /studio/api/webhook-secret': 'admin',
  'POST /studio/api/webhook-secret/rotate': 'admin',
  'GET /studio/api/deliveries/:id': 'admin',
  'GET /studio/api/usage': 'viewer',
  'GET /studio/api/account/data': 'admin',
  'GET /studio/api/account/export': 'admin',
  'POST /studio/api/account/delete': 'owner',
  'POST /studio/api/sample-data': 'editor',
  'GET /studio/api/trash/templates': 'viewer',
  'POST /studio/api/trash/templates/:id': 'editor',
  'POST /studio/api/trash/templates/:id/restore': 'editor',
  'DELETE /studio/api/trash/templates/:id': 'editor',
  'GET /studio/api/accounts': 'operator',
  'POST /studio/api/accounts': 'operator',
  'PUT /studio/api/accounts/:id': 'operator',
  'POST /studio/api/accounts/:id/link': 'operator',
  'GET /studio/api/health': 'operator',
  'GET /studio/api/metrics': 'operator',
};

/** Ends the session of the caller, so that it is sent last. */
const ENDS_THE_SESSION = 'DELETE /studio/api/sessions';

let assembly: Assembly;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-roles-'));
  const env = { PATH: process.env['PATH'], DATA_DIR: folder, LOG_LEVEL: 'silent' };
  assembly = await assemble(loadConfig({ env, cwd: folder }), createLog({ level: 'silent' }), () => '');
});
afterAll(async () => {
  await assembly[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface NamedRoute {
  method: string;
  path: string;
  name: string;
}

/** Returns the routes that need a session or a key. */
const protectedRoutes = (): NamedRoute[] =>
  assembly.routes
    .filter(({ access }) => access === 'key')
    .map(({ method, path }) => ({
      method: method.toUpperCase(),
      path,
      name: `${method.toUpperCase()} ${path}`,
    }));

function leastRole({ method, path, name }: NamedRoute): MemberRole | 'operator' | undefined {
  if (!path.startsWith('/v1/')) return STUDIO[name];
  const [, read, write] = API.find(([start]) => path.startsWith(start)) ?? [];
  return method === 'GET' ? read : write;
}

describe('the role of a session', () => {
  test('is listed here for every route of the studio that needs a session', () => {
    const names = protectedRoutes()
      .filter(({ path }) => path.startsWith('/studio'))
      .map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(STUDIO).toSorted());
  });

  test.each(MEMBER_ROLES)(
    '%s permits the routes of its row and refuses all others',
    async (role) => {
      const owner = await Browser.signedIn(service());
      const account = (await owner.get('/studio/api/session')).body.account.id;
      // The rate of other plans is too low for one request to each route.
      await service().accounts.update(account, { plan: 'enterprise' });
      const browser = role === 'owner' ? owner : await Browser.member(owner, role);
      const wrong: string[] = [];
      const routes = protectedRoutes().filter(({ name }) => name !== ENDS_THE_SESSION);
      expect(routes.length).toBeGreaterThan(120);
      for (const route of routes) {
        const least = leastRole(route);
        const path = route.path.replaceAll(/:\w+/g, 'unknown').replace('*', 'unknown');
        const body = ['GET', 'DELETE'].includes(route.method) ? undefined : { unknown: true };
        const { status, body: answer } = await browser.request(route.method, path, body);
        const detail = status === 403 ? (answer.error.details[0]?.code ?? answer.error.message) : undefined;
        const isRefused = detail === 'MISSING_ROLE' || detail === 'only operators may do this';
        const isPermitted =
          least !== undefined &&
          least !== 'operator' &&
          MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(least);
        if (isRefused === isPermitted || [401, 429].includes(status) || status >= 500)
          wrong.push(`${route.name}: ${status}`);
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );

  test('of an operator who is a viewer permits the routes of operators, and only those', async () => {
    const company = await Browser.signedIn(service());
    const operator = await Browser.signedIn(service(), 'operator');
    const token = await company.invite(operator.email, 'viewer');
    expect((await operator.post('/studio/api/link/claim', { token })).body.role).toBe('viewer');
    expect((await operator.get('/studio/api/accounts?limit=1')).status).toBe(200);
    expect((await operator.get('/studio/api/keys')).body.error.details[0].code).toBe('MISSING_ROLE');
  });

  test('does not open routes of another account to a member of both', async () => {
    const [mine, theirs] = [await Browser.signedIn(service()), await Browser.signedIn(service())];
    await mine.post('/studio/api/link/claim', { token: await theirs.invite(mine.email, 'owner') });
    const { accounts } = (await mine.get('/studio/api/session')).body;
    const template = { name: 'Theirs', html_content: '<p>x' };
    const { id } = (await theirs.post('/v1/templates', template)).body;
    const file = (await theirs.post('/v1/generate', { html: '<p>x' })).body.id;
    expect((await mine.get(`/v1/templates/${id}`)).status).toBe(200);
    await mine.post('/studio/api/session/account', { account_id: accounts[0].id });
    for (const route of protectedRoutes().filter(({ path }) =>
      /^\/v1\/(templates|generations)\/:/.test(path),
    )) {
      const known = route.path.startsWith('/v1/templates') ? id : file;
      const path = route.path.replace(/:\w+/, known).replaceAll(/:\w+/g, '1');
      const changed = { name: 'Stolen', alias: 'stolen', data: {} };
      const { status } = await mine.request(route.method, path, route.method === 'GET' ? undefined : changed);
      expect([route.name, [400, 404].includes(status)]).toEqual([route.name, true]);
    }
    expect((await theirs.get(`/v1/templates/${id}`)).body.name).toBe('Theirs');
  });
});
