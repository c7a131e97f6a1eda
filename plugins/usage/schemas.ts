import { Timestamp, Type, type Static } from '../../src/plugin.ts';

/** The response of `GET /v1/usage`. */
export const UsageResponse = Type.Object(
  {
    plan: Type.String(),
    period: Type.Object(
      { start: Timestamp, end: Timestamp },
      { description: 'The current UTC calendar month; `end` is the start of the next month.' },
    ),
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
