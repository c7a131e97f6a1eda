import type { EventMessage } from '../webhooks/event.ts';
import type { ListOutbox } from '../webhooks/outbox.ts';
import type { ListedDocument, UnreportedEvents } from '../webhooks/unreported-events.ts';

/** The fields of the usage of a month that say which thresholds were reached. */
export interface ThresholdFields extends UnreportedEvents {
  /** The monthly limit at the last reservation; absent or `null` for none. */
  limit?: number | null;
  /** The highest threshold that was reached, by the limit at that time; absent for none. */
  reached?: Readonly<Record<string, number>>;
}

/** Percentages of the monthly limit. */
const THRESHOLDS = [80, 100] as const;

/** A percentage of the monthly limit that the completed PDFs of an account have reached. */
export interface ThresholdReached {
  threshold: (typeof THRESHOLDS)[number];
  /** The completed PDFs of the month, without those in progress. */
  used: number;
  limit: number;
  /** The start of the month and of the next one (epoch milliseconds). */
  startsAt: number;
  endsAt: number;
}

/** Makes the events of thresholds and stores them. */
export interface ThresholdEvents<T extends ListedDocument> {
  outbox: ListOutbox<T>;
  toEvent: (reached: ThresholdReached) => Pick<EventMessage, 'type' | 'data'>;
}

/** The state of a month after a PDF was counted. */
type MonthUsed = Pick<ThresholdReached, 'used' | 'startsAt' | 'endsAt'> & { accountId: string };

/** Returns the thresholds of the limit that a number of PDFs reaches for the first time. */
export function newThresholds(
  { limit = null, reached = {} }: ThresholdFields,
  used: number,
): ThresholdReached['threshold'][] {
  if (limit === null) return [];
  const highest = reached[limit] ?? 0;
  return THRESHOLDS.filter((threshold) => threshold > highest && used * 100 >= threshold * limit);
}

/** Returns the fields that note the events of the thresholds that are reached now. */
export function noteThresholds<T extends ListedDocument & ThresholdFields>(
  { outbox, toEvent }: ThresholdEvents<T>,
  usage: T,
  { accountId, ...month }: MonthUsed,
): ThresholdFields {
  const { limit, reached } = usage;
  let noted: ThresholdFields = {};
  for (const threshold of newThresholds(usage, month.used)) {
    const event = toEvent({ threshold, limit: limit ?? 0, ...month });
    noted = {
      ...outbox.note({ ...usage, ...noted }, { ...event, accountId, timestamp: Date.now() }),
      reached: { ...reached, [String(limit)]: threshold },
    };
  }
  return noted;
}
