import { MAX_RECORDS } from './records.ts';

/** The separators that spreadsheets write, the most frequent last so that it wins a tie. */
const SEPARATORS = ['\t', ';', ','] as const;

/** A row of a table, and the line of the text on which it begins. */
interface Row {
  line: number;
  cells: string[];
}

/** The table in a text: the names in its first row, and the rows below. */
export interface CsvTable {
  header: string[];
  rows: Row[];
}

/**
 * Reads a table whose first row names the columns (RFC 4180). The separator is a comma, a semicolon or a tab,
 * whichever the first row contains most often outside quotes. Blank lines are skipped. Returns the reason,
 * with the line, if the text cannot be used.
 */
export function readTable(text: string): CsvTable | string {
  const source = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(source);
  const rows = splitRows(source, separator);
  if (typeof rows === 'string') return rows;
  const [first, ...others] = rows;
  if (!first) return 'The table is empty.';
  const header = first.cells.map((name) => name.trim());
  const unnamed = header.indexOf('');
  if (unnamed !== -1) return `Line ${first.line}: column ${unnamed + 1} has no name.`;
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined) return `Line ${first.line}: two columns have the name “${repeated}”.`;
  if (others.length === 0) return 'The table has no rows below the names of the columns.';
  if (others.length > MAX_RECORDS)
    return `The table has ${others.length} rows. A batch can have at most ${MAX_RECORDS} documents.`;
  const wrong = others.find(({ cells }) => cells.length !== header.length);
  if (wrong)
    return `Line ${wrong.line}: the row has ${wrong.cells.length} values, but the table has ${header.length} columns.`;
  return { header, rows: others };
}

function separatorOf(source: string): string {
  const counts = new Map<string, number>(SEPARATORS.map((each) => [each, 0]));
  let isQuoted = false;
  for (const character of source) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return SEPARATORS.reduce((best, each) =>
    (counts.get(each) ?? 0) >= (counts.get(best) ?? 0) ? each : best,
  );
}

function splitRows(source: string, separator: string): Row[] | string {
  const rows: Row[] = [];
  let row: Row = { line: 1, cells: [] };
  let [line, position] = [1, 0];
  while (position < source.length) {
    const cell =
      source[position] === '"' ? readQuoted(source, position) : readPlain(source, position, separator);
    if (!cell) return `Line ${line}: a quoted value has no closing quote.`;
    row.cells.push(cell.value);
    line += cell.value.split(/\r\n|[\r\n]/).length - 1;
    position = cell.end;
    const next = source[position];
    if (next === separator) {
      position += 1;
      // A separator at the very end is followed by an empty value.
      if (position < source.length) continue;
      row.cells.push('');
    } else if (next !== undefined && next !== '\n' && next !== '\r')
      return `Line ${line}: text follows the closing quote of a value.`;
    if (row.cells.some((value) => value.trim() !== '')) rows.push(row);
    position += source.startsWith('\r\n', position) ? 2 : 1;
    line += 1;
    row = { line, cells: [] };
  }
  return rows;
}

function readPlain(source: string, start: number, separator: string): { value: string; end: number } {
  let end = start;
  while (end < source.length && source[end] !== separator && source[end] !== '\n' && source[end] !== '\r')
    end += 1;
  return { value: source.slice(start, end), end };
}

function readQuoted(source: string, start: number): { value: string; end: number } | undefined {
  const parts: string[] = [];
  for (let from = start + 1; ;) {
    const quote = source.indexOf('"', from);
    if (quote === -1) return undefined;
    parts.push(source.slice(from, quote));
    if (source[quote + 1] !== '"') return { value: parts.join('"'), end: quote + 1 };
    from = quote + 2;
  }
}

/**
 * Puts a row into an object; a name with dots is a path. A column with the type `number` in the schema
 * becomes numbers, `boolean` likewise.
 */
export function recordsOf(
  { header, rows }: CsvTable,
  schema: Readonly<Record<string, string>>,
): Record<string, unknown>[] | string {
  const records: Record<string, unknown>[] = [];
  for (const { line, cells } of rows) {
    const record: Record<string, unknown> = {};
    for (const [index, path] of header.entries()) {
      const text = cells[index] ?? '';
      const value = valueOf(text, schema[path]?.replace(/[!?]$/, ''));
      if (value === undefined)
        return `Line ${line}: “${text}” in the column “${path}” is not a ${schema[path]?.replace(/[!?]$/, '')}.`;
      if (!setPath(record, path.split('.'), value))
        return `Line 1: the column “${path}” contradicts another column, because one of them is a part of the other.`;
    }
    records.push(record);
  }
  return records;
}

function valueOf(text: string, type: string | undefined): unknown {
  const trimmed = text.trim();
  if (type === 'number') return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
  if (type === 'boolean') return { true: true, false: false }[trimmed.toLowerCase()];
  return text;
}

function setPath(record: Record<string, unknown>, path: string[], value: unknown): boolean {
  let target = record;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(target, name)) define(target, name, {});
    const next = target[name];
    if (typeof next !== 'object' || next === null) return false;
    target = next as Record<string, unknown>;
  }
  const last = path.at(-1) ?? '';
  if (Object.hasOwn(target, last)) return false;
  define(target, last, value);
  return true;
}

/** Sets a property of any name, also `__proto__`. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
