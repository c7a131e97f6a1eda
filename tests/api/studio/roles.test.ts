import { describe, expect, test } from 'bun:test';
import { MEMBER_ROLES, type MemberRole } from '../../../plugins/studio/members/roles.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { assembledRoutes } from '../../support/studio/assembled-routes.ts';
import { Browser } from '../../support/studio/studio.ts';

const service = extendedService();

/**
 * The least role for each part of the service, by the start of the path: to read, and to do anything else. A
 * route without a row is checked against its own scope.
 */
const LEAST: readonly (readonly [start: string, read: Least, write: Least])[] = [
  ['/v1/certificates', 'editor', 'admin'],
  ['/v1/webhook', 'admin', 'admin'],
  ['/v1/events', 'admin', 'admin'],
  ['/v1/integrations', 'admin', 'admin'],
  ['/v1/keys', 'admin', 'admin'],
  ['/v1/audit', 'admin', 'admin'],
  ['/v1/', 'viewer', 'editor'],
  ['/studio/api/keys', 'admin', 'admin'],
  ['/studio/api/webhook-secret', 'admin', 'admin'],
  ['/studio/api/deliveries', 'admin', 'admin'],
  ['/studio/api/members/invitations', 'admin', 'admin'],
  // Members of every role may leave; see members.test.ts.
  ['/studio/api/members', 'viewer', 'admin'],
  ['/studio/api/account/delete', 'owner', 'owner'],
  ['/studio/api/account/', 'admin', 'admin'],
  ['/studio/api/accounts', 'operator', 'operator'],
  ['/studio/api/health', 'operator', 'operator'],
  ['/studio/api/metrics', 'operator', 'operator'],
  ['/studio/api/trash', 'viewer', 'editor'],
];

type Least = MemberRole | 'operator';

/** Ends the session of the caller, so it is not sent. */
const ENDS_THE_SESSION = 'DELETE /studio/api/sessions';

const routes = assembledRoutes();

interface NamedRoute {
  method: string;
  path: string;
  name: string;
  scope: string;
}

/** Returns the routes that need a session or a key. Routes of other protocols do not accept sessions. */
const protectedRoutes = (): NamedRoute[] =>
  routes()
    .filter(({ access, protocol }) => access === 'key' && !protocol)
    .map(({ method, path, spec }) => ({
      method: method.toUpperCase(),
      path,
      name: `${method.toUpperCase()} ${path}`,
      scope: spec.scope,
    }));

function leastRole({ method, path, scope }: NamedRoute): string {
  const [, read, write] = LEAST.find(([start]) => path.startsWith(start)) ?? [];
  return (method === 'GET' ? read : write) ?? scope.replace('session:', '');
}

describe('the role of a session', () => {
  test('decides about every route of the studio that needs a session', () => {
    const scopes = protectedRoutes()
      .filter(({ path }) => path.startsWith('/studio'))
      .map(({ scope }) => scope);
    expect(scopes.length).toBeGreaterThan(40);
    expect(scopes.filter((scope) => !scope.startsWith('session:'))).toEqual([]);
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
      const tried = protectedRoutes().filter(({ name }) => name !== ENDS_THE_SESSION);
      expect(tried.length).toBeGreaterThan(120);
      for (const route of tried) {
        const least = leastRole(route);
        const path = route.path.replaceAll(/:\w+/g, 'unknown').replace('*', 'unknown');
        const body = ['GET', 'DELETE'].includes(route.method) ? undefined : { unknown: true };
        const { status, body: answer } = await browser.request(route.method, path, body);
        const detail = status === 403 ? (answer.error.details[0]?.code ?? answer.error.message) : undefined;
        const isRefused = detail === 'MISSING_ROLE' || detail === 'only operators may do this';
        const isPermitted = MEMBER_ROLES.slice(0, MEMBER_ROLES.indexOf(role) + 1).some(
          (each) => each === least,
        );
        if (isRefused === isPermitted || [401, 429].includes(status) || status >= 500)
          wrong.push(`${route.name}: ${status}`);
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );

  test('does not identify the account at the routes of other protocols', async () => {
    const owner = await Browser.signedIn(service());
    const others = routes().filter(({ access, protocol }) => access === 'key' && protocol);
    expect(new Set(others.map(({ protocol }) => protocol?.name))).toEqual(
      new Set(['Gotenberg', 'Browserless', 'MCP']),
    );
    for (const path of ['/forms/pdfengines/merge', '/pdf', '/mcp'])
      expect([path, (await owner.request('POST', path, {})).status]).toEqual([path, 401]);
  });

  test('of an operator who is a viewer permits the routes of operators, and only those', async () => {
    const company = await Browser.signedIn(service());
    const operator = await Browser.signedIn(service(), 'operator');
    const token = await company.invite(operator.email, 'viewer');
    expect((await operator.post('/studio/api/link/claim', { token })).body.role).toBe('viewer');
    expect((await operator.get('/studio/api/accounts?limit=1')).status).toBe(200);
    expect((await operator.get('/studio/api/keys')).body.error.details[0].code).toBe('MISSING_ROLE');
  });
});
