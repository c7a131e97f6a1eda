/**
 * Renders two date fields. Dates have the form `2026-11-22`; an empty string means that the date is not set.
 */
export function DateRange(props: {
  from: string;
  to: string;
  onFrom: (date: string) => void;
  onTo: (date: string) => void;
}) {
  return (
    <div class="date-range" role="group" aria-label="Created">
      <label>
        <span>From</span>
        <input
          type="date"
          class="input"
          value={props.from}
          max={props.to || undefined}
          onChange={(event) => props.onFrom(event.currentTarget.value)}
        />
      </label>
      <label>
        <span>to</span>
        <input
          type="date"
          class="input"
          value={props.to}
          min={props.from || undefined}
          onChange={(event) => props.onTo(event.currentTarget.value)}
        />
      </label>
    </div>
  );
}

/**
 * Returns midnight at the start of a date, or of the following day, in the time zone of the browser. Returns
 * undefined if the date has another form.
 */
export function midnightOf(date: string, { dayAfter = false } = {}): string | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date);
  if (!parts) return undefined;
  const [year, month, day] = parts.slice(1).map(Number);
  return new Date(year ?? 0, (month ?? 1) - 1, (day ?? 1) + (dayAfter ? 1 : 0)).toISOString();
}

/** Returns the date a number of days ago, in the time zone of the browser. */
export function dateDaysAgo(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() - days);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}
