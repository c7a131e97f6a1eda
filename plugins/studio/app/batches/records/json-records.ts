/** The JSON text of an entry of a list, or of a line. */
export interface JsonText {
  /** The number of the entry or line, counted from 1. */
  place: number;
  json: string;
}

/** The most characters in the data of a document, which the page parses at once. */
const MAX_CHARACTERS = 8_000_000;

/** Yields the lines of NDJSON. Blank lines are skipped. */
export function* linesOf(text: string): Generator<JsonText> {
  for (let [place, start] = [1, 0]; start < text.length; place += 1) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const json = text.slice(start, end).trim();
    if (json !== '') yield { place, json };
    start = end + 1;
  }
}

/**
 * Yields the entries of a JSON list, each without line breaks.
 * @throws {Error} if the text is not a list
 */
export function* entriesOf(text: string): Generator<JsonText> {
  const isBlank = (from: number, to?: number) => text.slice(from, to).trim() === '';
  const begin = text.search(/\S/);
  if (text[begin] !== '[') throw new Error('The data must be a list, in square brackets.');
  let start = begin + 1;
  for (let place = 1; ; place += 1) {
    const end = endOfEntry(text, start);
    if (end === -1) throw new Error('The list is not complete: its closing square bracket is missing.');
    const isLast = text[end] === ']';
    // Line breaks in JSON are always between its parts, never in a string.
    if (place > 1 || !isLast || !isBlank(start, end))
      yield {
        place,
        json: text
          .slice(start, end)
          .replaceAll(/[\r\n]+/g, ' ')
          .trim(),
      };
    start = end + 1;
    if (!isLast) continue;
    if (!isBlank(start)) throw new Error('Text follows the list.');
    return;
  }
}

/** Returns the position of the comma or bracket that ends an entry, or -1 for an incomplete entry. */
function endOfEntry(text: string, start: number): number {
  const marks = /["[\]{},]/g;
  marks.lastIndex = start;
  let depth = 0;
  for (let match = marks.exec(text); match; match = marks.exec(text)) {
    const [mark] = match;
    if (mark === '"') {
      const end = endOfString(text, match.index);
      if (end === -1) return -1;
      marks.lastIndex = end;
    } else if (depth === 0 && (mark === ',' || mark === ']')) return match.index;
    else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
  }
  return -1;
}

/** Returns the position after the closing quote of a string. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return -1;
}

/** Returns why the text is not the data of a document, as the end of a sentence. */
export function faultOf(json: string): string | undefined {
  if (json.length > MAX_CHARACTERS) return `has more than ${MAX_CHARACTERS} characters`;
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? undefined : 'is not an object, such as {"number": 1}';
  } catch (error) {
    return `is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
