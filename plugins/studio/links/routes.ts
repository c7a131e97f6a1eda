import { invalid } from '../../../src/plugin.ts';
import type { NewPasskey } from '../passkeys/passkeys.ts';
import { toIso } from '../present.ts';
import { RedeemBody, LinkBody, LinkPasskeyBody, MAX_BODY_BYTES, MAX_PASSKEY_BODY_BYTES } from '../schemas.ts';
import { memberOf, signIn, type Studio } from '../studio.ts';
import type { OpenLink } from './links.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

export function mountLinkRoutes(studio: Studio): void {
  const { links, origins, passkeys, passkeyRecords, passwords, publicRoutes, users } = studio;

  publicRoutes.post(
    '/studio/api/link',
    { scope: 'public', audit: null, ...hidden, summary: 'Read a sign-in link', body: LinkBody },
    async ({ request, body: { token } }) => {
      origins.require(request);
      const { link, account, user } = await links.open(token);
      return {
        email: account?.email ?? null,
        role: link.role,
        expires_at: toIso(link.expiresAt),
        existing: user !== null,
      };
    },
  );

  publicRoutes.post(
    '/studio/api/link/passkey-options',
    {
      scope: 'public',
      audit: null,
      ...hidden,
      summary: 'Start the registration of a passkey with a sign-in link',
      body: LinkPasskeyBody,
    },
    async ({ request, body: { token, email } }) => {
      origins.require(request);
      const { link, account } = await links.open(token);
      return passkeys.beginRegistration(origins.of(request), {
        subject: link.id,
        email: emailOf({ account }, email),
        accountId: account?.id ?? null,
      });
    },
  );

  publicRoutes.post(
    '/studio/api/link/claim',
    {
      scope: 'public',
      audit: 'link.claimed',
      hidden: true,
      maxBodyBytes: MAX_PASSKEY_BODY_BYTES,
      summary: 'Sign in with a link, and set a password or a passkey',
      body: RedeemBody,
      response: { status: 201 },
    },
    async ({ request, audit, address, headers, body: { token, email, password, passkey } }) => {
      origins.require(request);
      if ((password === undefined) === (passkey === undefined))
        throw invalid('password', 'either this or passkey is required');
      const opened = await links.open(token);
      emailOf(opened, email);
      // The password is hashed before the link is redeemed, which must not take long.
      const passwordHash = password === undefined ? undefined : await passwords.hash(password);
      const verified: NewPasskey | undefined =
        passkey &&
        (await passkeys.verifyRegistration(origins.of(request), {
          ceremony: passkey.ceremony,
          response: { ...passkey.response, clientExtensionResults: {} } as never,
          subject: opened.link.id,
          name: passkey.name ?? 'Passkey',
        }));
      const redeemed = await links.redeem(token, email, async (account, { id, role, epoch }) => {
        const owner = { account: account.id, actor: memberOf(account) };
        const action = verified ? 'passkey.added' : 'password.changed';
        await audit.describe({ ...owner, target: id }, { ...owner, action });
        const added = verified && (await passkeys.add(account.id, verified));
        const user = await users.enrol(account.id, { role, passwordHash, epoch });
        // A passkey must not outlive a link that has ended in the meantime.
        if (!user && added) await passkeyRecords.delete({ id: added.id });
        return user;
      });
      // A suspended account is refused only now.
      audit.made();
      return signIn(studio, redeemed, { request, address, headers });
    },
  );
}

/**
 * Returns the email address of a link's account or, for a link without an account, of the request.
 * @throws {AppError} VALIDATION_ERROR without either
 */
function emailOf({ account }: Pick<OpenLink, 'account'>, given: string | undefined): string {
  if (account) return account.email;
  if (given === undefined) throw invalid('email', 'is required');
  return given;
}
