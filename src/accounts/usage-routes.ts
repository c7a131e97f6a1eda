import type { Static } from '@sinclair/typebox';
import type { Tag } from '../http/openapi.ts';
import type { Routes } from '../http/routes.ts';
import type { Plan, PlanName } from './plans.ts';
import type { Account } from './accounts.ts';
import type { Quota, UsageReport } from './quota.ts';
import { UsageAnswer, usageExample } from './usage-schemas.ts';

/** The OpenAPI tag of the route. */
export const usageTag: Tag = {
  name: 'Usage',
  description: 'Read the limits of the account and how much of them is left.',
  guide: new URL('../../docs/configuration.md', import.meta.url),
};

/** Plans count requests in windows of one second. */
const WINDOW_SECONDS = 1;

/** Mounts `GET /v1/usage`. */
export function mountUsageRoutes(
  routes: Routes,
  { quota, plans }: { quota: Quota; plans: Readonly<Record<PlanName, Plan>> },
): void {
  routes.get(
    '/v1/usage',
    {
      operationId: 'getUsage',
      summary: 'Read the usage of the account this month',
      response: { schema: UsageAnswer, example: usageExample },
    },
    async ({ account }) => presentUsage(account, await quota.report(account), plans),
  );
}

/** Converts the usage of an account to its form on the wire. */
export function presentUsage(
  { plan }: Account,
  { startsAt, endsAt, used, limit, remaining, byDay }: UsageReport,
  plans: Readonly<Record<PlanName, Plan>>,
): Static<typeof UsageAnswer> {
  return {
    plan,
    period: { start: new Date(startsAt).toISOString(), end: new Date(endsAt).toISOString() },
    used,
    limit,
    remaining,
    by_day: byDay,
    rate_limit: { limit: plans[plan].requestsPerSecond, window_seconds: WINDOW_SECONDS },
  };
}
