import type { Role } from './collections.ts';

/** A new one-time sign-in link. */
export interface NewLink {
  url: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The service of the studio plugin. */
export interface StudioService {
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
