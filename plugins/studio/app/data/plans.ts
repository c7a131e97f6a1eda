/** The plans of accounts. */
export const PLANS = ['free', 'starter', 'pro', 'enterprise'] as const;
