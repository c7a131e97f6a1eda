/** The plans that SPEC.md names. */
export const PLAN_NAMES = ['free', 'starter', 'pro', 'enterprise'] as const;

/** The name of a plan. */
export type PlanName = (typeof PLAN_NAMES)[number];

/** What a plan allows. */
export interface Plan {
  requestsPerSecond: number;
  /** PDFs in a UTC calendar month; `null` is without limit. */
  monthlyLimit: number | null;
  /** Requests of an account that a process works on at once; `null` is without limit. */
  concurrency: number | null;
}

/** The plans as they are when the configuration says nothing else. */
export const DEFAULT_PLANS: Readonly<Record<PlanName, Plan>> = {
  free: { requestsPerSecond: 10, monthlyLimit: 50, concurrency: 2 },
  starter: { requestsPerSecond: 100, monthlyLimit: 2_000, concurrency: 4 },
  pro: { requestsPerSecond: 100, monthlyLimit: 20_000, concurrency: 8 },
  enterprise: { requestsPerSecond: 500, monthlyLimit: null, concurrency: null },
};
