import { AppError, invalid } from '../../../src/plugin.ts';
import type { NewPasskey } from '../passkeys/passkeys.ts';
import { toIso } from '../present.ts';
import { RedeemBody, LinkBody, LinkPasskeyBody, MAX_BODY_BYTES, MAX_PASSKEY_BODY_BYTES } from '../schemas.ts';
import { actorOf, type SignedIn } from '../sessions/sessions.ts';
import { enterAccount, signIn, type Studio } from '../studio.ts';
import { isInvitation, type OpenLink } from './links.ts';

const hidden = { hidden: true, maxBodyBytes: MAX_BODY_BYTES } as const;

export function mountLinkRoutes(studio: Studio): void {
  const { enrolment, links, members, origins, passkeys, passwords, publicRoutes, scheme, users } = studio;

  /** Describes the invitation of a link; `null` for a sign-in link. */
  async function presentInvitation({ link, account }: OpenLink) {
    if (!isInvitation(link)) return null;
    const inviter = await users.get(link.invitedBy ?? '');
    return {
      account: account?.email,
      role: link.memberRole,
      invited_by: inviter && (await users.emailOf(inviter)),
    };
  }

  /**
   * Requires that the person of an invitation is signed in: the link alone must not open their other
   * accounts.
   * @throws {AppError} FORBIDDEN
   */
  async function requireInvited(request: Request, { user, email }: OpenLink): Promise<SignedIn> {
    const signedIn = await scheme.find(request);
    if (signedIn && signedIn.user.id === user?.id) return signedIn;
    throw signInFirst({ email });
  }

  publicRoutes.post(
    '/studio/api/link',
    {
      scope: 'public',
      audit: null,
      ...hidden,
      confirmation: { unneeded: 'needs the token of the link' },
      summary: 'Read a one-time link',
      body: LinkBody,
    },
    async ({ request, body: { token } }) => {
      origins.require(request);
      const opened = await links.open(token);
      const { link, email, user } = opened;
      return {
        email,
        role: link.role,
        expires_at: toIso(link.expiresAt),
        existing: user !== null,
        invitation: await presentInvitation(opened),
      };
    },
  );

  publicRoutes.post(
    '/studio/api/link/passkey-options',
    {
      scope: 'public',
      audit: null,
      ...hidden,
      confirmation: { unneeded: 'needs the token of the link' },
      summary: 'Start the registration of a passkey with a one-time link',
      body: LinkPasskeyBody,
    },
    async ({ request, body: { token, email } }) => {
      origins.require(request);
      const opened = await links.open(token);
      const { link, userId, email: known } = opened;
      if (isInvitation(link) && opened.user) throw signInFirst(opened);
      return passkeys.beginRegistration(origins.of(request), {
        subject: link.id,
        email: known ?? requireEmail(email),
        userId,
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
      confirmation: { unneeded: 'needs the token of the link' },
      summary: 'Sign in with a link, and set a password or a passkey; or accept an invitation',
      body: RedeemBody,
      response: { status: 201 },
    },
    async ({ request, audit, address, headers, body: { token, email, password, passkey } }) => {
      origins.require(request);
      const opened = await links.open(token);
      if (isInvitation(opened.link) && opened.user) {
        if (password !== undefined || passkey !== undefined)
          throw invalid('password', 'must be absent; sign in first, then accept the invitation');
        const signedIn = await requireInvited(request, opened);
        const { account } = await links.redeem(
          { ...opened, token },
          undefined,
          async ({ link, account: joined, userId: target }) => {
            const actor = actorOf(signedIn);
            await audit.describe({ account: joined.id, actor, action: 'member.joined', target });
            await members.add(joined.id, target, link.memberRole ?? 'viewer');
            return signedIn.user;
          },
        );
        audit.made();
        return enterAccount(studio, account.id, request);
      }
      if ((password === undefined) === (passkey === undefined))
        throw invalid('password', 'either this or passkey is required');
      if (opened.email === null) requireEmail(email);
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
      const redeemedBy = await links.redeem({ ...opened, token }, email, async (redeemed) => {
        const { link, account, userId, email: name } = redeemed;
        const person = { account: account.id, actor: { type: 'member', id: userId, name } } as const;
        const invited = isInvitation(link);
        await audit.describe(
          { ...person, ...(invited && { action: 'member.joined' }), target: invited ? userId : link.id },
          { ...person, action: verified ? 'passkey.added' : 'password.changed' },
        );
        const credentials = { passwordHash, passkey: verified };
        return invited ? enrolment.invited(redeemed, credentials) : enrolment.owner(redeemed, credentials);
      });
      // A suspended account is refused only now.
      audit.made();
      return signIn(studio, redeemedBy, { request, address, headers });
    },
  );
}

function signInFirst({ email }: Pick<OpenLink, 'email'>): AppError {
  return new AppError('FORBIDDEN', `sign in as ${email} first, then accept the invitation`, {
    details: [{ path: '', code: 'SIGN_IN_REQUIRED', message: 'is required' }],
  });
}

/** @throws {AppError} VALIDATION_ERROR without an email address */
function requireEmail(email: string | undefined): string {
  if (email === undefined) throw invalid('email', 'is required');
  return email;
}
