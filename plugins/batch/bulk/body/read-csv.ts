import { invalid } from '../../../../src/plugin.ts';
import { CsvReader, type CsvRecord } from './csv-records.ts';
import { MAX_ITEM_BYTES, type ItemWriter } from './received-items.ts';

const MAX_COLUMNS = 1_000;
/** Every item is stored with the names of its columns. */
const MAX_HEADER_BYTES = 65_536;
/** A record takes at most three bytes of UTF-8 for each UTF-16 unit, and its JSON a few more. */
const MAX_CHARACTERS = 2_000_000;
/** Read at a time, in a few milliseconds. */
const PIECE_BYTES = 65_536;
/** The separators that spreadsheets write, the preferred one first. */
const SEPARATORS = [',', ';', '\t'];

/**
 * Reads CSV: a header with the names of the columns, and an item per record, whose values are text. If no
 * separator is given, it is the comma, semicolon or tab by which the header has the most columns.
 * @throws {AppError} VALIDATION_ERROR for an invalid header, and for a file that is not UTF-8
 */
export async function readCsv(
  pieces: AsyncIterable<Uint8Array>,
  writer: ItemWriter,
  separator?: string,
): Promise<void> {
  let head = '';
  let reader = separator === undefined ? undefined : readerFor(separator);
  let header: Header | undefined;
  const take = async (records: readonly CsvRecord[]) => {
    for (const record of records) {
      if (header) await addItem(header, record, writer);
      else header = new Header(record);
    }
    await writer.proceed(reader?.blankLines);
  };
  const takeHead = async (beginning: CsvReader) => {
    for (let start = 0; start < head.length; start += PIECE_BYTES)
      await take(beginning.read(head.slice(start, start + PIECE_BYTES)));
    head = '';
  };
  for await (const text of textOf(pieces)) {
    if (reader) {
      await take(reader.read(text));
      continue;
    }
    head += text;
    await writer.proceed();
    const found = findSeparator(head, head.length >= MAX_HEADER_BYTES);
    if (found === undefined) continue;
    reader = readerFor(found);
    await takeHead(reader);
  }
  if (!reader) {
    reader = readerFor(findSeparator(head, true) ?? ',');
    await takeHead(reader);
  }
  await take(reader.end());
  if (!header) throw invalid('file', 'must begin with a line that names the columns');
}

function readerFor(separator: string): CsvReader {
  return new CsvReader({ separator, maxCharacters: MAX_CHARACTERS });
}

/**
 * Returns the separator by which the header has the most columns.
 * @param isWhole whether to decide without the rest of the header; if not, returns `undefined` without it
 */
function findSeparator(head: string, isWhole: boolean): string | undefined {
  const columns = SEPARATORS.map((separator) => {
    const reader = readerFor(separator);
    const [record] = reader.read(head);
    return (record ?? (isWhole ? reader.end()[0] : undefined))?.fields.length;
  });
  if (!isWhole && columns.includes(undefined)) return undefined;
  const counts = columns.map((count = 0) => count);
  return SEPARATORS[counts.indexOf(Math.max(...counts))];
}

/** The names of the columns. */
class Header {
  /** As JSON. */
  readonly names: readonly string[];

  /** @throws {AppError} VALIDATION_ERROR */
  constructor({ fields, fault, line }: CsvRecord) {
    const reason = fault ?? faultOf(fields);
    if (reason !== undefined) throw invalid('file', `line ${line} ${reason}; it must name each column once`);
    this.names = fields.map((name) => JSON.stringify(name.trim()));
  }
}

/** Returns the fault of the names of the columns. */
function faultOf(fields: readonly string[]): string | undefined {
  if (fields.length > MAX_COLUMNS) return `has more than ${MAX_COLUMNS} columns`;
  const names = fields.map((name) => name.trim());
  const size = names.reduce((sum, name) => sum + Buffer.byteLength(JSON.stringify(name)), 0);
  if (size > MAX_HEADER_BYTES) return `has names of more than ${MAX_HEADER_BYTES} bytes`;
  if (names.includes('')) return 'has a column without a name';
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `names the column ${JSON.stringify(twice.slice(0, 100))} twice`;
}

async function addItem({ names }: Header, record: CsvRecord, writer: ItemWriter): Promise<void> {
  const { line, fields, fault } = record;
  if (fault !== undefined) return writer.addFault({ line, message: fault });
  if (fields.length !== names.length) {
    const columns = names.length === 1 ? '1 column' : `${names.length} columns`;
    const values = fields.length === 1 ? '1 value' : `${fields.length} values`;
    return writer.addFault({ line, message: `has ${values}, but the header names ${columns}` });
  }
  // Text, because an object would treat the name `__proto__` in its own way.
  const members = names.map((name, index) => `${name}:${JSON.stringify(fields[index])}`);
  const json = Buffer.from(`{${members.join(',')}}`);
  if (json.length > MAX_ITEM_BYTES)
    return writer.addFault({ line, message: `must have at most ${MAX_ITEM_BYTES} bytes` });
  return writer.add(json);
}

/** Decodes UTF-8 in small pieces, without the byte order mark that spreadsheets write. */
async function* textOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes: Uint8Array, options?: { stream: boolean }) => {
    try {
      return decoder.decode(bytes, options);
    } catch (cause) {
      throw Object.assign(invalid('file', 'is not valid UTF-8; save it as "CSV UTF-8"'), { cause });
    }
  };
  for await (const piece of pieces)
    for (let start = 0; start < piece.length; start += PIECE_BYTES)
      yield decode(piece.subarray(start, start + PIECE_BYTES), { stream: true });
  yield decode(new Uint8Array());
}
