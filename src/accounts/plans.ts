/** The plans defined in docs/internals/spec.md. */
export const PLAN_NAMES = ['free', 'starter', 'pro', 'enterprise'] as const;

export type PlanName = (typeof PLAN_NAMES)[number];

export interface Plan {
  requestsPerSecond: number;
  /** The requests with test keys, which are counted apart from others; as `requestsPerSecond` when absent. */
  testRequestsPerSecond?: number | undefined;
  /** PDFs per UTC calendar month; `null` means no limit. */
  monthlyLimit: number | null;
  /** Concurrent requests of an account in one process; `null` means no limit. */
  concurrency: number | null;
  /**
   * How many days results are kept unless the request sets a lifetime; `null` means until they are deleted.
   */
  retentionDays: number | null;
}

/** The plans that apply unless the configuration changes them. */
export const DEFAULT_PLANS: Readonly<Record<PlanName, Plan>> = {
  free: { requestsPerSecond: 10, monthlyLimit: 50, concurrency: 2, retentionDays: null },
  starter: { requestsPerSecond: 100, monthlyLimit: 2_000, concurrency: 4, retentionDays: null },
  pro: { requestsPerSecond: 100, monthlyLimit: 20_000, concurrency: 8, retentionDays: null },
  enterprise: { requestsPerSecond: 500, monthlyLimit: null, concurrency: null, retentionDays: null },
};
