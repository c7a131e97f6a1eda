const MAX_EPOCH_MS = 8.64e15;
const ISO =
  /^(?<date>(?<year>\d{4}|[+-]\d{6})-(?<month>\d\d)-(?<day>\d\d))(?:[T ](?<time>\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(?<zone>Z|[+-]\d\d:?\d\d)?)?$/i;

/** A point in time, or a local date and time without a zone. */
export interface ParsedDate {
  /** Without a zone, the time is interpreted as UTC. */
  epochMs: number;
  hasZone: boolean;
}

/**
 * Parses a date in template data: epoch milliseconds, or ISO 8601 text with a complete, valid date and an
 * optional time and zone. Returns `null` for anything else. Validation and formatting share this function.
 */
export function parseDate(value: unknown): ParsedDate | null {
  if (typeof value === 'number')
    return Math.abs(value) <= MAX_EPOCH_MS ? { epochMs: value, hasZone: true } : null;
  const groups = typeof value === 'string' ? ISO.exec(value.trim())?.groups : undefined;
  if (!groups) return null;
  const { date = '', time = '00:00', zone, day = '' } = groups;
  const offset = zone === undefined ? 'Z' : zone.toUpperCase().replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const epochMs = Date.parse(`${date}T${time.replace(',', '.')}${offset}`);
  // Date.parse would turn February 30 into March 2.
  const calendar = new Date(Date.parse(`${date}T00:00Z`));
  if (Number.isNaN(epochMs) || calendar.getUTCDate() !== Number(day)) return null;
  return { epochMs, hasZone: zone !== undefined };
}
