import type { Administration, Quota } from '../../src/plugin.ts';
import type { UsageService } from './contract.ts';
import { toPeriod } from './present.ts';

/** Plans count requests in windows of one second. */
const WINDOW_SECONDS = 1;

/** Creates the service, which reports the PDFs that `quota` counted. */
export function createUsageService(quota: Quota, plans: Administration['plans']): UsageService {
  return {
    async read(account) {
      const { startsAt, endsAt, used, limit, remaining, byDay } = await quota.report(account);
      return {
        plan: account.plan,
        period: toPeriod({ startsAt, endsAt }),
        used,
        limit,
        remaining,
        by_day: byDay,
        rate_limit: { limit: plans[account.plan].requestsPerSecond, window_seconds: WINDOW_SECONDS },
      };
    },
  };
}
