import type { Role } from './collections.ts';

/** A new one-time sign-in link. */
export interface NewLink {
  url: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The service of the studio plugin. */
export interface StudioService {
  /** Creates a one-time sign-in link for an account. An account that already signs in to the studio keeps its role unless `role` is given. */
  createLink(accountId: string, options: { role?: Role | undefined; baseUrl: string }): Promise<NewLink>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    studio: StudioService;
  }
}
