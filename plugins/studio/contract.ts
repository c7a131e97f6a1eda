import type { AuthenticationScheme } from '../../src/plugin.ts';
import type { Role } from './collections.ts';

/** The account and the permissions of a request. */
type Identity = NonNullable<Awaited<ReturnType<AuthenticationScheme['authenticate']>>>;

/** Identifies the callers of other plugins by access tokens of the identity provider. */
export interface AccessTokens {
  readonly issuer: string;
  /**
   * Returns the identity of a person: the account and the role are those of the person in the studio. A
   * person of several accounts names one with `accountId`.
   * @throws {AppError} UNAUTHORIZED for a token that is not valid for `resource`; FORBIDDEN for a person who
   * has not signed in to the studio with the provider, or is not a member of the account; UNAVAILABLE when
   * the provider does not respond
   */
  identify(token: string, options: { resource: string; accountId: string | undefined }): Promise<Identity>;
}

/** A new one-time sign-in link. */
export interface NewLink {
  url: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The service of the studio plugin. */
export interface StudioService {
  /** Absent without an identity provider. */
  readonly accessTokens?: AccessTokens | undefined;
  /**
   * Creates a one-time sign-in link for the person with whom an account began, or for the person `userId`.
   * Without `role`, a person who already has a sign-in keeps the role, and any other becomes an owner.
   */
  createLink(
    accountId: string,
    options: { userId?: string; role?: Role | undefined; baseUrl: string },
  ): Promise<NewLink>;
  /**
   * Finds a person who is a member of the accounts of others. Returns `null` if the email address is that of
   * an account, or if there is no such person.
   */
  findMember(email: string): Promise<{ userId: string; accountId: string } | null>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    studio: StudioService;
  }
}
