const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const whole = new Intl.NumberFormat('en');
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const MOMENT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const moment = new Intl.DateTimeFormat('en-GB', MOMENT);
const momentOfYear = new Intl.DateTimeFormat('en-GB', { ...MOMENT, year: 'numeric' });

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
] as const;

/** Formats a moment relative to now, such as "5 minutes ago". */
export function formatAgo(time: string): string {
  let amount = (Date.parse(time) - Date.now()) / 1000;
  if (Math.abs(amount) < 10) return 'just now';
  for (const [unit, size] of STEPS) {
    if (Math.abs(amount) < size) return relative.format(Math.trunc(amount), unit);
    amount /= size;
  }
  return relative.format(Math.trunc(amount), 'year');
}

/** Formats a day, such as "22 Nov 2026". */
export function formatDay(time: string): string {
  return day.format(new Date(time));
}

/** Formats a moment, such as "22 Nov, 09:41", with the year if it is not the current one. */
export function formatMoment(time: string): string {
  const date = new Date(time);
  return (date.getFullYear() === new Date().getFullYear() ? moment : momentOfYear).format(date);
}

/** Formats a whole number with separators. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** Formats a number of things, such as "1 page" or "12 pages". */
export function formatCountOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${whole.format(count)} ${count === 1 ? singular : plural}`;
}

/** Capitalises the first letter of a text. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Formats a size in bytes, kB or MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Formats the period of a rate limit, such as "second" or "10 seconds". */
export function formatPeriod(seconds: number): string {
  return seconds === 1 ? 'second' : formatCountOf(seconds, 'second');
}

/** Formats a duration in milliseconds or seconds. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
