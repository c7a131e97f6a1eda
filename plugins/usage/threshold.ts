import type { Quota, Static } from '../../src/plugin.ts';
import { toPeriod } from './present.ts';
import { thresholdExample, ThresholdResponse } from './schemas.ts';

const THRESHOLD = 'quota.threshold' as const;

/** The webhook message about the monthly limit, for the documentation. */
export const usageWebhooks = {
  [THRESHOLD]: {
    summary: 'An account has used 80 % or 100 % of its monthly limit',
    description: 'Sent once for each threshold, month and limit. PDFs in progress are not counted.',
    data: ThresholdResponse,
    example: thresholdExample,
  },
};

type ToEvent = Parameters<Quota['reportThresholds']>[1];

/** Returns the event of a threshold. */
export const toThresholdEvent: ToEvent = ({ threshold, used, limit, startsAt, endsAt }) => {
  const data: Static<typeof ThresholdResponse> = {
    threshold,
    used,
    limit,
    period: toPeriod({ startsAt, endsAt }),
  };
  return { type: THRESHOLD, data };
};
