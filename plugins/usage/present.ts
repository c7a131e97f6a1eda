import type { Static } from '../../src/plugin.ts';
import type { Period } from './schemas.ts';

/** Presents a month, given in epoch milliseconds. */
export function toPeriod({ startsAt, endsAt }: { startsAt: number; endsAt: number }): Static<typeof Period> {
  return { start: new Date(startsAt).toISOString(), end: new Date(endsAt).toISOString() };
}
