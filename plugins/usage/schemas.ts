import { Timestamp, Type, type Static } from '../../src/plugin.ts';

/** A month. */
export const Period = Type.Object(
  { start: Timestamp, end: Timestamp },
  { description: 'The current UTC calendar month; `end` is the start of the next month.' },
);

/** The response of `GET /v1/usage`. */
export const UsageResponse = Type.Object(
  {
    plan: Type.String(),
    period: Period,
    used: Type.Integer({
      description: 'PDFs counted against the limit, including PDFs in progress. Failed PDFs are not counted.',
    }),
    limit: Type.Union([Type.Integer(), Type.Null()], {
      description: 'PDFs per month; null means no limit.',
    }),
    remaining: Type.Union([Type.Integer(), Type.Null()], {
      description: 'PDFs left this month; null means no limit.',
    }),
    by_day: Type.Array(
      Type.Object({
        date: Type.String({ description: 'A UTC day, such as `2026-11-22`.' }),
        completed: Type.Integer(),
        failed: Type.Integer(),
      }),
      {
        description:
          'Every day of the period up to today. A PDF counts on the day of its request; the items of a batch are added when the batch ends.',
      },
    ),
    rate_limit: Type.Object({
      limit: Type.Integer({ description: 'Requests per window.' }),
      window_seconds: Type.Integer(),
    }),
  },
  { title: 'Usage' },
);

/** An example response of `GET /v1/usage`. */
export const usageExample: Static<typeof UsageResponse> = {
  plan: 'starter',
  period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  used: 1_208,
  limit: 2_000,
  remaining: 792,
  by_day: [
    { date: '2026-11-01', completed: 1_200, failed: 3 },
    { date: '2026-11-02', completed: 8, failed: 0 },
  ],
  rate_limit: { limit: 100, window_seconds: 1 },
};

/** The data of the event about a threshold. */
export const ThresholdResponse = Type.Object(
  {
    threshold: Type.Integer({ description: 'Percent of `limit`: 80 or 100.' }),
    used: Type.Integer({
      description:
        'Completed PDFs of the month, when the threshold was reached. PDFs in progress are not counted.',
    }),
    limit: Type.Integer({ description: 'PDFs per month.' }),
    period: { ...Period, description: 'The UTC calendar month; `end` is the start of the next month.' },
  },
  { title: 'QuotaThreshold' },
);

/** An example of the data of the event about a threshold. */
export const thresholdExample: Static<typeof ThresholdResponse> = {
  threshold: 80,
  used: 1_600,
  limit: 2_000,
  period: usageExample.period,
};
