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
import { actorOf } from '../sessions/sessions.ts';
import { accountAtSignIn, signIn, type Studio } from '../studio.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

export function mountPasskeyRoutes(studio: Studio): void {
  const { origins, passkeyRecords, passkeys, publicRoutes, routes, scheme, users } = studio;

  publicRoutes.post(
    '/studio/api/passkeys/sign-in-options',
    {
      scope: 'public',
      audit: null,
      ...hidden,
      confirmation: { unneeded: 'a challenge' },
      summary: 'Start a sign-in with a passkey',
    },
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
      confirmation: { unneeded: 'asks for a passkey' },
      summary: 'Sign in with a passkey',
      body: PasskeySignInBody,
    },
    async ({ request, audit, address, headers, body: { ceremony, response } }) => {
      origins.require(request);
      const { userId } = await passkeys.signIn(origins.of(request), {
        ceremony,
        response: response as AuthenticationResponseJSON,
      });
      const user = await users.get(userId);
      if (!user) throw new AppError('UNAUTHORIZED', 'the account of this passkey was deleted');
      const account = await accountAtSignIn(studio, user);
      const email = await users.emailOf(user);
      await audit.describe({ account: account.id, actor: actorOf({ user, email }) });
      return signIn(studio, { account, user }, { request, address, headers });
    },
  );

  routes.get(
    '/studio/api/passkeys',
    {
      scope: 'session:viewer',
      ...hidden,
      confirmation: { unneeded: 'lists names, no keys' },
      summary: 'List the passkeys of the person',
    },
    async ({ request }) => {
      const { user } = scheme.signedIn(request);
      const found = await passkeyRecords.find({
        where: { accountId: user.id },
        order: { createdAt: 'asc', id: 'asc' },
      });
      return { data: found.map(presentPasskey), has_more: false };
    },
  );

  routes.post(
    '/studio/api/passkeys/options',
    {
      scope: 'session:viewer',
      audit: null,
      ...hidden,
      confirmation: 'required',
      summary: 'Start the registration of a passkey',
    },
    async ({ request }) => {
      const { user, email } = scheme.signedIn(request);
      return passkeys.beginRegistration(origins.of(request), { subject: user.id, email, userId: user.id });
    },
  );

  routes.post(
    '/studio/api/passkeys',
    {
      scope: 'session:viewer',
      audit: 'passkey.added',
      freesSpace: false,
      hidden: true,
      maxBodyBytes: MAX_PASSKEY_BODY_BYTES,
      confirmation: 'required',
      summary: 'Register a passkey',
      body: PasskeyRegistration,
      response: { status: 201 },
    },
    async ({ request, body: { ceremony, response, name = 'Passkey' } }) => {
      const { user } = scheme.signedIn(request);
      const verified = await passkeys.verifyRegistration(origins.of(request), {
        subject: user.id,
        ceremony,
        response: response as RegistrationResponseJSON,
        name,
      });
      return presentPasskey(await passkeys.add(user.id, verified));
    },
  );

  routes.put(
    '/studio/api/passkeys/:id',
    {
      scope: 'session:viewer',
      audit: 'passkey.renamed',
      freesSpace: false,
      ...hidden,
      confirmation: { unneeded: 'changes a name' },
      summary: 'Rename a passkey',
      body: NameBody,
    },
    async ({ request, params: { id }, body: { name } }) => {
      const { user } = scheme.signedIn(request);
      const renamed = await passkeyRecords.update({ id, accountId: user.id }, { name: name.trim() });
      if (!renamed) throw notFound('passkey');
      return presentPasskey(renamed);
    },
  );

  routes.delete(
    '/studio/api/passkeys/:id',
    {
      scope: 'session:viewer',
      audit: 'passkey.removed',
      ...hidden,
      confirmation: 'required',
      summary: 'Remove a passkey',
      response: { status: 204 },
    },
    async ({ request, params: { id } }) => {
      const { user } = scheme.signedIn(request);
      const found = await passkeyRecords.find({ where: { accountId: user.id } });
      if (!found.some((passkey) => passkey.id === id)) throw notFound('passkey');
      if (found.length === 1 && user.passwordHash === null)
        throw new AppError('CONFLICT', 'this is the last way to sign in; set a password first');
      await passkeyRecords.delete({ id, accountId: user.id });
    },
  );
}
