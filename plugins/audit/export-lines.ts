import type { AuditLog } from '../../src/plugin.ts';

type Entry = Awaited<ReturnType<AuditLog['list']>>['records'][number];

/** The columns of the CSV file. */
const COLUMNS: readonly (readonly [name: string, read: (entry: Entry) => string | null])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['actor_type', ({ actor }) => actor.type],
  ['actor_id', ({ actor }) => actor.id],
  ['actor_name', ({ actor }) => actor.name],
  ['action', ({ action }) => action],
  ['target', ({ target }) => target],
  ['ip', ({ ip }) => ip],
  ['request_id', ({ request_id: requestId }) => requestId],
  ['outcome', ({ outcome }) => outcome],
];

/** A format of exports. `head` precedes the lines of the entries. */
interface ExportFormat {
  mediaType: string;
  head: string;
  line: (entry: Entry) => string;
}

/** The formats of exports. CSV is that of RFC 4180. */
export const FORMATS: Readonly<Record<'csv' | 'ndjson', ExportFormat>> = {
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    head: `${COLUMNS.map(([name]) => name).join(',')}\r\n`,
    line: (entry) => `${COLUMNS.map(([, read]) => toCell(read(entry) ?? '')).join(',')}\r\n`,
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    head: '',
    line: (entry) => `${JSON.stringify(entry)}\n`,
  },
};

/**
 * Quotes a cell. A text that a spreadsheet would run as a formula begins with an apostrophe, because callers
 * choose the names of keys.
 */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
