/** The separators that spreadsheets write, the most frequent last so that it wins a tie. */
const SEPARATORS = ['\t', ';', ','] as const;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A row of a table, or the fault of an invalid row. */
export interface Row {
  /** The line of the text on which the row begins, counted from 1. */
  line: number;
  cells: string[];
  fault?: string;
}

/** Returns the comma, semicolon or tab that the first row contains most often outside quotes. */
export function separatorOf(source: string): string {
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

/**
 * Yields the rows of a table (RFC 4180), of which the first names the columns. Lines end with CR LF, LF or
 * CR. Rows without any text are skipped. A fault ends at the end of its line, so that later rows can be read.
 */
export function* rowsOf(source: string, separator: string): Generator<Row> {
  let [line, position] = [1, 0];
  while (position < source.length) {
    const row: Row = { line, cells: [] };
    for (let isOpen = true; isOpen;) {
      const isQuoted = source[position] === '"';
      const cell = isQuoted ? readQuoted(source, position) : readPlain(source, position, separator);
      row.cells.push(cell.value);
      if (isQuoted) line += countBreaks(cell.value);
      if (cell.fault) row.fault = cell.fault;
      position = cell.end;
      isOpen = source[position] === separator;
      if (isOpen) position += 1;
      else if (position < source.length && !isBreak(source.charCodeAt(position))) {
        row.fault = 'has text after a closing quote';
        position = endOfLine(source, position);
      }
    }
    position += source.startsWith('\r\n', position) ? 2 : 1;
    line += 1;
    if (row.fault !== undefined || row.cells.some((value) => value.trim() !== '')) yield row;
  }
}

/**
 * Returns the names of the columns.
 * @throws {Error} that says which name is wrong
 */
export function namesOf({ line, cells, fault }: Row): string[] {
  if (fault !== undefined) throw new Error(`Line ${line} ${fault}. It must name the columns.`);
  const names = cells.map((name) => name.trim());
  const unnamed = names.indexOf('');
  if (unnamed !== -1) throw new Error(`Line ${line}: column ${unnamed + 1} has no name.`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`Line ${line}: two columns have the name “${repeated}”.`);
  return names;
}

interface Cell {
  value: string;
  /** Where the cell ends. */
  end: number;
  fault?: string;
}

function isBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function endOfLine(source: string, start: number): number {
  let end = start;
  while (end < source.length && !isBreak(source.charCodeAt(end))) end += 1;
  return end;
}

function readPlain(source: string, start: number, separator: string): Cell {
  const stop = separator.charCodeAt(0);
  let end = start;
  for (; end < source.length; end += 1) {
    const code = source.charCodeAt(end);
    if (code === stop || isBreak(code)) break;
  }
  return { value: source.slice(start, end), end };
}

function readQuoted(source: string, start: number): Cell {
  const parts: string[] = [];
  for (let from = start + 1; ;) {
    const quote = source.indexOf('"', from);
    if (quote === -1) return { value: '', end: source.length, fault: 'has a quote that is not closed' };
    parts.push(source.slice(from, quote));
    if (source[quote + 1] !== '"') return { value: parts.join('"'), end: quote + 1 };
    from = quote + 2;
  }
}

function countBreaks(value: string): number {
  return value.split(/\r\n|[\r\n]/).length - 1;
}
