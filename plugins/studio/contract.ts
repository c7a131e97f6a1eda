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
   * Creates a one-time sign-in link for an account. Without `role`, an account that already has a sign-in
   * keeps its role, and any other becomes an owner.
   */
  createLink(accountId: string, options: { role?: Role | undefined; baseUrl: string }): Promise<NewLink>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    studio: StudioService;
  }
}
