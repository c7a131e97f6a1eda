import type { PlanName } from '../accounts/plans.ts';

/** How many jobs of one kind an account may run at once in a process, by its plan; `null` is without limit. */
export const PLAN_CONCURRENCY: Readonly<Record<PlanName, number | null>> = {
  free: 2,
  starter: 4,
  pro: 8,
  enterprise: null,
};
