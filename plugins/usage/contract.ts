import type { Account, Static } from '../../src/plugin.ts';
import type { UsageResponse } from './schemas.ts';

/** The service of the usage plugin. */
export interface UsageService {
  /** Reads the usage of an account this month, in the form of the response of `GET /v1/usage`. */
  read(account: Account): Promise<Static<typeof UsageResponse>>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    usage: UsageService;
  }
}
