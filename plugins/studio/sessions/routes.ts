import { AppError, notFound } from '../../../src/plugin.ts';
import { presentSession } from '../present.ts';
import type { Studio } from '../studio.ts';
import { deviceCookie, expiredCookie, readDevice } from './cookie.ts';

const hidden = { hidden: true } as const;

export function mountSessionRoutes({ devices, origins, routes, scheme, sessions, users }: Studio): void {
  routes.get(
    '/studio/api/sessions',
    {
      scope: 'session:viewer',
      ...hidden,
      confirmation: { unneeded: 'lists addresses, no tokens' },
      summary: 'List the sessions of the person',
    },
    async ({ request }) => {
      const { user, session } = scheme.signedIn(request);
      const found = await sessions.list(user);
      return { data: found.map((each) => presentSession(each, session.id)), has_more: false };
    },
  );

  routes.delete(
    '/studio/api/sessions/:id',
    {
      scope: 'session:viewer',
      audit: 'session.ended',
      ...hidden,
      confirmation: { unneeded: 'only ends a session' },
      summary: 'End a session',
      response: { status: 204 },
    },
    async ({ request, headers, params: { id } }) => {
      const { user, session } = scheme.signedIn(request);
      if (!(await sessions.end(user.id, id))) throw notFound('session');
      if (id === session.id) headers.set('Set-Cookie', expiredCookie(request, { origins }));
    },
  );

  routes.delete(
    '/studio/api/sessions',
    {
      scope: 'session:viewer',
      audit: 'session.others_ended',
      ...hidden,
      confirmation: { unneeded: 'only ends sessions and links' },
      summary: 'End all other sessions and unused sign-in links',
      response: { status: 204 },
    },
    async ({ request, headers }) => {
      const { session, user } = scheme.signedIn(request);
      const changed = await users.endEpoch(user);
      if (!changed) throw new AppError('CONFLICT', 'the password was changed at the same time');
      await sessions.keep(session.id, changed);
      // The epoch has ended for all known browsers, also for this one.
      if (devices.identify(readDevice(request, { origins }), user) !== undefined)
        headers.append('Set-Cookie', deviceCookie(devices.issue(changed), request, { origins }));
      await sessions.endOthers(user.id, session.id);
    },
  );
}
