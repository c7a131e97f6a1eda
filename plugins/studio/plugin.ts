import { definePlugin } from '../../src/plugin.ts';
import './contract.ts';
import { createPersonRemoval, studioData } from './account-data.ts';
import { collections } from './collections.ts';
import type { AccessTokens, StudioService } from './contract.ts';
import { mountAccountRoutes } from './account/routes.ts';
import { mountKeyRoutes } from './keys/routes.ts';
import { createEnrolment } from './links/enrolment.ts';
import { createLinks } from './links/links.ts';
import { mountLinkRoutes } from './links/routes.ts';
import { createMembers } from './members/members.ts';
import { mountMemberRoutes } from './members/routes.ts';
import { createCeremonies } from './passkeys/ceremonies.ts';
import { mountOperatorRoutes } from './operator/routes.ts';
import { createPasskeys } from './passkeys/passkeys.ts';
import { mountPasskeyRoutes } from './passkeys/routes.ts';
import { mountSampleRoute } from './samples/routes.ts';
import { createOrigins, isLoopback } from './sessions/origin.ts';
import { mountSessionRoutes } from './sessions/routes.ts';
import { createSessionScheme } from './sessions/scheme.ts';
import { createSessions } from './sessions/sessions.ts';
import { createDevices } from './sign-in/devices.ts';
import { createPasswords } from './sign-in/passwords.ts';
import { mountConfirmationRoute } from './sign-in/confirmation.ts';
import { mountSignInRoutes } from './sign-in/routes.ts';
import { createThrottle } from './sign-in/throttle.ts';
import { createUsers } from './sign-in/users.ts';
import { mountSiteRoutes } from './site/routes.ts';
import { openSite } from './site/site.ts';
import { mountTrashRoutes } from './trash/routes.ts';
import { createAccessTokens } from './oidc/access-tokens.ts';
import { createAttempts } from './oidc/attempts.ts';
import { createPersons } from './oidc/persons.ts';
import { createIdentityProvider } from './oidc/provider.ts';
import { mountOidcRoutes } from './oidc/routes.ts';
import { hostOf, readOidc, studioConfig, studioEnv } from './oidc/settings.ts';
import type { Studio } from './studio.ts';

export default definePlugin({
  name: 'studio',
  title: 'Studio',
  description: 'The web application at `/`. Its own routes are not part of this document.',
  guide: new URL('../../docs/studio.md', import.meta.url),
  requires: ['documents', 'usage'],
  uses: ['ai', 'pdf-tools', 'render', 'templates'],
  config: studioConfig,
  env: studioEnv,
  collections,
  async setup({ config, collections: stored, services, ...context }) {
    const { administration, auditLog, deliveries, log, metrics, publicRoutes, quota, routes, sealer } =
      context;
    const { accounts, publicUrl, isEmbedded } = administration;
    const oidc = readOidc(config);
    const { teams, memberships, passkeys, identities, links: linkRecords } = stored;
    const users = createUsers(stored.users, accounts);
    const members = createMembers({ teams, memberships, users });
    const links = createLinks({ links: linkRecords, users, members, accounts, sealer });
    const sessions = createSessions({ sessions: stored.sessions, users, members, accounts, sealer });
    const removePerson = createPersonRemoval({ users, sessions, passkeys, identities });
    const persons = { users, members, identities, removePerson };
    const ceremonies = createCeremonies(stored.usedChallenges, sealer);
    const passkeyService = createPasskeys({ passkeys, ceremonies, log });
    const origins = createOrigins(publicUrl);
    const studio: Studio = {
      administration,
      auditLog,
      deliveries,
      facts: {
        administration,
        hasAi: services.ai?.isConfigured ?? false,
        mayProtect: services['pdf-tools']?.mayProtect ?? false,
        hasTimestamps: services['pdf-tools']?.hasTimestamps ?? false,
        hasEarlierBrowser: services.render?.hasEarlierBrowser ?? false,
        identityProvider: oidc?.name ?? null,
      },
      log,
      quota,
      usage: services.usage,
      metrics,
      passwords: createPasswords(),
      throttle: createThrottle(stored.attempts, sealer),
      devices: createDevices(sealer),
      sessions,
      scheme: createSessionScheme(sessions, origins),
      origins,
      links,
      enrolment: createEnrolment({ ...persons, passkeys: passkeyService, passkeyRecords: passkeys }),
      ...persons,
      passkeys: passkeyService,
      passkeyRecords: passkeys,
      routes,
      publicRoutes,
    };
    mountSignInRoutes(studio);
    mountConfirmationRoute(studio);
    mountSessionRoutes(studio);
    mountLinkRoutes(studio);
    mountPasskeyRoutes(studio);
    mountKeyRoutes(studio);
    mountAccountRoutes(studio);
    mountMemberRoutes(studio);
    let accessTokens: AccessTokens | undefined;
    if (oidc) {
      const { issuer } = oidc;
      // The provider may be on a private address. This guard allows only its host and port.
      const provider = createIdentityProvider(oidc, {
        egress: await context.openEgress([hostOf(oidc)]),
        log,
      });
      const found = createPersons({ ...persons, issuer, passkeys, administration, sealer });
      const attempts = createAttempts(stored.usedChallenges, sealer);
      mountOidcRoutes(studio, { settings: oidc, provider, attempts, persons: found });
      accessTokens = createAccessTokens({ ...studio, settings: oidc, provider, persons: found });
    }
    mountOperatorRoutes(studio);
    mountSampleRoute(studio, services.documents.handlebars);
    if (services.templates) mountTrashRoutes(studio, services.templates.trash);
    const site = await openSite();
    if (site) mountSiteRoutes(publicRoutes, site);

    const service: StudioService = {
      accessTokens,
      async createLink(accountId, { userId, role, baseUrl }) {
        const account = await accounts.get(accountId);
        const person =
          userId === undefined ? account && (await links.personOf(account)) : await users.get(userId);
        return links.create({ accountId, userId, role: role ?? person?.role ?? 'owner', baseUrl });
      },
      async findMember(email) {
        if (await accounts.findByEmail(email)) return null;
        const user = await users.findByEmail(email);
        const [own] = user ? await members.accountsOf(user.id) : [];
        return user && own ? { userId: user.id, accountId: own.accountId } : null;
      },
    };
    return {
      service,
      authentication: [studio.scheme],
      accountData: studioData({
        accounts,
        users,
        members,
        teams,
        sessionRecords: stored.sessions,
        links: linkRecords,
        passkeys,
        removePerson,
        sessions,
      }),
      start() {
        if (!site) log.warn('the studio is not bundled; install again to bundle it');
        if (publicUrl?.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname))
          log.warn(
            'PUBLIC_URL is not https: passwords and session cookies of the studio cross the network unencrypted',
          );
      },
      async greet(url) {
        // With MongoDB, every replica would print a link. The operator creates the first one with
        // `platen studio link`.
        if (!site || !isEmbedded || !(await users.isEmpty())) return [];
        await links.revokeFirst();
        const { url: link } = await links.create({
          accountId: null,
          role: 'operator',
          baseUrl: publicUrl ?? byName(url),
        });
        return ['Open the studio and create your sign-in (the link works once, for 24 hours):', '', link];
      },
    };
  },
});

/**
 * Replaces the loopback address in a URL with `localhost`, because browsers offer passkeys for host names
 * only.
 */
function byName(url: string): string {
  return url.replace('://127.0.0.1:', '://localhost:');
}
