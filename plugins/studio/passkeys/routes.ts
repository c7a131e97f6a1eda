import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError, notFound } from '../../../src/plugin.ts';
import { presentPasskey } from '../present.ts';
import {
  MAX_BODY_BYTES,
  MAX_PASSKEY_BODY_BYTES,
  NameBody,
  PasskeyRegistration,
  PasskeySignInBody,
} from '../schemas.ts';
import { memberOf, signIn, type Studio } from '../studio.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

export function mountPasskeyRoutes(studio: Studio): void {
  const { administration, origins, passkeyRecords, passkeys, publicRoutes, routes, scheme, users } = studio;

  publicRoutes.post(
    '/studio/api/passkeys/sign-in-options',
    { scope: 'public', audit: null, ...hidden, summary: 'Start a sign-in with a passkey' },
    async ({ request }) => {
      origins.require(request);
      return passkeys.beginSignIn(origins.of(request));
    },
  );

  publicRoutes.post(
    '/studio/api/passkeys/sign-in',
    {
      scope: 'public',
      audit: 'session.signed_in',
      hidden: true,
      maxBodyBytes: MAX_PASSKEY_BODY_BYTES,
      summary: 'Sign in with a passkey',
      body: PasskeySignInBody,
    },
    async ({ request, audit, address, headers, body: { ceremony, response } }) => {
      origins.require(request);
      const { accountId } = await passkeys.signIn(origins.of(request), {
        ceremony,
        response: response as AuthenticationResponseJSON,
      });
      const [account, user] = await Promise.all([
        administration.accounts.get(accountId),
        users.get(accountId),
      ]);
      if (!account || !user) throw new AppError('UNAUTHORIZED', 'the account of this passkey was deleted');
      await audit.describe({ account: account.id, actor: memberOf(account) });
      return signIn(studio, { account, user }, { request, address, headers });
    },
  );

  routes.get(
    '/studio/api/passkeys',
    { scope: 'session', ...hidden, summary: 'List the passkeys of the account' },
    async ({ request }) => {
      const { account } = scheme.signedIn(request);
      const found = await passkeyRecords.find({
        where: { accountId: account.id },
        order: { createdAt: 'asc', id: 'asc' },
      });
      return { data: found.map(presentPasskey), has_more: false };
    },
  );

  routes.post(
    '/studio/api/passkeys/options',
    {
      scope: 'session',
      audit: null,
      ...hidden,
      outlastsSession: true,
      summary: 'Start the registration of a passkey',
    },
    async ({ request }) => {
      const { account } = scheme.signedIn(request);
      const { id: accountId, email } = account;
      return passkeys.beginRegistration(origins.of(request), { subject: accountId, email, accountId });
    },
  );

  routes.post(
    '/studio/api/passkeys',
    {
      scope: 'session',
      audit: 'passkey.added',
      freesSpace: false,
      hidden: true,
      maxBodyBytes: MAX_PASSKEY_BODY_BYTES,
      outlastsSession: true,
      summary: 'Register a passkey',
      body: PasskeyRegistration,
      response: { status: 201 },
    },
    async ({ request, body: { ceremony, response, name = 'Passkey' } }) => {
      const { account } = scheme.signedIn(request);
      const verified = await passkeys.verifyRegistration(origins.of(request), {
        subject: account.id,
        ceremony,
        response: response as RegistrationResponseJSON,
        name,
      });
      return presentPasskey(await passkeys.add(account.id, verified));
    },
  );

  routes.put(
    '/studio/api/passkeys/:id',
    {
      scope: 'session',
      audit: 'passkey.renamed',
      freesSpace: false,
      ...hidden,
      summary: 'Rename a passkey',
      body: NameBody,
    },
    async ({ request, params: { id }, body: { name } }) => {
      const { account } = scheme.signedIn(request);
      const renamed = await passkeyRecords.update({ id, accountId: account.id }, { name: name.trim() });
      if (!renamed) throw notFound('passkey');
      return presentPasskey(renamed);
    },
  );

  routes.delete(
    '/studio/api/passkeys/:id',
    {
      scope: 'session',
      audit: 'passkey.removed',
      ...hidden,
      outlastsSession: true,
      summary: 'Remove a passkey',
      response: { status: 204 },
    },
    async ({ request, params: { id } }) => {
      const { account, user } = scheme.signedIn(request);
      const found = await passkeyRecords.find({ where: { accountId: account.id } });
      if (!found.some((passkey) => passkey.id === id)) throw notFound('passkey');
      if (found.length === 1 && user.passwordHash === null)
        throw new AppError('CONFLICT', 'this is the last way to sign in; set a password first');
      await passkeyRecords.delete({ id, accountId: account.id });
    },
  );
}
