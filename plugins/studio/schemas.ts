import { KeyFields, pageQuery, Type, type Account, type Static } from '../../src/plugin.ts';
import { MEMBER_ROLES } from './members/roles.ts';
import { PASSWORD_LENGTH } from './sign-in/passwords.ts';

/** The largest body of a route without a passkey. */
export const MAX_BODY_BYTES = 16_384;
/** The largest body with the response of an authenticator. */
export const MAX_PASSKEY_BODY_BYTES = 65_536;

/**
 * Control characters, direction marks and lone surrogates: invisible characters that make one name look like
 * another.
 */
const UNSAFE = '\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff';
const PAIR = '[\\ud800-\\udbff][\\udc00-\\udfff]';

export const Email = Type.String({
  maxLength: 254,
  pattern: `^(?:[^\\s@${UNSAFE}]|${PAIR})+@(?:[^\\s@${UNSAFE}]|${PAIR})+$`,
  expected: 'an email address',
});

export const NewPassword = Type.String({
  ...PASSWORD_LENGTH,
  expected: `a password of ${PASSWORD_LENGTH.minLength} to ${PASSWORD_LENGTH.maxLength} characters`,
});

/** A password to verify. It may have been set under earlier rules. */
export const Password = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.maxLength });

/** The token of a one-time link. */
export const LinkToken = Type.String({ minLength: 1, maxLength: 100 });

/** The name of a key or a passkey. */
export const Name = KeyFields.name;

const closed = { additionalProperties: false } as const;

const Base64Url = Type.String({ minLength: 1, maxLength: 32_768 });

const Credential = {
  id: Type.String({ minLength: 1, maxLength: 2_000 }),
  rawId: Type.String({ minLength: 1, maxLength: 2_000 }),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  authenticatorAttachment: Type.Optional(Type.Union([Type.String(), Type.Null()])),
};

/**
 * A `RegistrationResponseJSON` (Web Authentication, level 3). The fields that the server does not read are
 * ignored.
 */
export const RegistrationResponse = Type.Object({
  ...Credential,
  response: Type.Object({ clientDataJSON: Base64Url, attestationObject: Base64Url }),
});

/** An `AuthenticationResponseJSON` (Web Authentication, level 3). */
export const AuthenticationResponse = Type.Object({
  ...Credential,
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()])),
  }),
});

/** A ceremony, as returned together with the options for a passkey. */
export const CeremonyText = Type.String({ minLength: 1, maxLength: 4_000 });

export const PasskeyRegistration = Type.Object(
  { ceremony: CeremonyText, response: RegistrationResponse, name: Type.Optional(Name) },
  closed,
);

/** The type of {@link PasskeyRegistration}. */
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

/** The body of `POST /studio/api/sign-in`. */
export const SignInBody = Type.Object({ email: Email, password: Password }, closed);

/** The body of `PUT /studio/api/password`. */
export const PasswordBody = Type.Object(
  { current_password: Type.Optional(Password), password: NewPassword },
  closed,
);

/** The body of `POST /studio/api/link`. */
export const LinkBody = Type.Object({ token: LinkToken }, closed);

/** The body of `POST /studio/api/link/passkey-options`. */
export const LinkPasskeyBody = Type.Object({ token: LinkToken, email: Type.Optional(Email) }, closed);

/** The body of `POST /studio/api/link/claim`. */
export const RedeemBody = Type.Object(
  {
    token: LinkToken,
    email: Type.Optional(Email),
    password: Type.Optional(NewPassword),
    passkey: Type.Optional(PasskeyRegistration),
  },
  closed,
);

/** The body of `POST /studio/api/passkeys/sign-in`. */
export const PasskeySignInBody = Type.Object(
  { ceremony: CeremonyText, response: AuthenticationResponse },
  closed,
);

/** The body of `POST /studio/api/session/confirm`. */
export const ConfirmBody = Type.Object(
  { password: Type.Optional(Password), passkey: Type.Optional(PasskeySignInBody) },
  closed,
);

/** The largest body with a template. */
export const MAX_SAMPLE_BODY_BYTES = 400_000;

/** The body of `POST /studio/api/sample-data`. Sample data can be several times as long as the template. */
export const SampleBody = Type.Object(
  { html_content: Type.String({ minLength: 1, maxLength: 100_000 }) },
  closed,
);

/** The body of the routes that name or rename something. */
export const NameBody = Type.Object({ name: Name }, closed);

/** The body of `POST /studio/api/keys`. */
export const NewKeyBody = Type.Object(KeyFields, closed);

/** The query of `GET /studio/api/keys`. */
export const KeysQuery = Type.Object({
  ...pageQuery(100).properties,
  status: Type.Optional(
    Type.Union([Type.Literal('active'), Type.Literal('revoked')], { expected: '"active" or "revoked"' }),
  ),
});

/** The body of `POST /studio/api/keys/revoke`. */
export const RevokeKeysBody = Type.Object(
  {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
    }),
  },
  closed,
);

/** The body of `POST /studio/api/account/delete`. */
export const DeleteAccountBody = Type.Object({ email: Email, password: Type.Optional(Password) }, closed);

const Role = Type.Union(
  MEMBER_ROLES.map((role) => Type.Literal(role)),
  { expected: MEMBER_ROLES.map((role) => `"${role}"`).join(', ') },
);

/** The body of `POST /studio/api/members/invitations`. */
export const InvitationBody = Type.Object({ email: Email, role: Role }, closed);

/** The body of `PATCH /studio/api/members/:id`. */
export const MemberBody = Type.Object({ role: Role }, closed);

/** The body of `POST /studio/api/session/account`. */
export const EnterBody = Type.Object({ account_id: Type.String({ minLength: 1, maxLength: 100 }) }, closed);

/** The query of `GET /studio/api/oidc/start`. */
export const OidcStartQuery = Type.Object({
  return_to: Type.String({
    default: '/studio',
    maxLength: 500,
    // Printable characters without a backslash.
    pattern: String.raw`^/studio(?:[/?][!-\[\]-~]*)?$`,
    expected: 'a path of the studio',
  }),
  invitation: Type.Optional(LinkToken),
  confirm: Type.Boolean({ default: false }),
});

/** The query of `GET /studio/api/usage`. */
export const UsageQuery = Type.Object({ months: Type.Integer({ minimum: 1, maximum: 24, default: 12 }) });

/** The plans. The type demands each of them. */
const PLANS: { readonly [Name in Account['plan']]: Name } = {
  free: 'free',
  starter: 'starter',
  pro: 'pro',
  enterprise: 'enterprise',
};
const PlanChoice = Type.Union(Object.values(PLANS).map((name) => Type.Literal(name)));

/** The query of `GET /studio/api/accounts`. */
export const AccountsQuery = Type.Object({
  ...pageQuery(50).properties,
  search: Type.String({ maxLength: 254, default: '' }),
});

/** The body of `POST /studio/api/accounts`. */
export const NewAccountBody = Type.Object({ email: Email, plan: Type.Optional(PlanChoice) }, closed);

/** The body of `PUT /studio/api/accounts/:id`. */
export const AccountChangeBody = Type.Object(
  {
    plan: Type.Optional(PlanChoice),
    monthly_limit: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), Type.Null()], {
        expected: "a whole number of at least 0, or null for the plan's limit",
      }),
    ),
    suspended: Type.Optional(Type.Boolean()),
  },
  { ...closed, minProperties: 1 },
);
