import { invalid, yieldToEventLoop } from '../../../../src/plugin.ts';
import { CsvReader, type CsvRecord } from './csv-records.ts';
import { MAX_ITEM_BYTES, type ItemWriter } from './received-items.ts';

const MAX_COLUMNS = 1_000;
/** A record takes at most three bytes of UTF-8 for each UTF-16 unit, and its JSON a few more. */
const MAX_CHARACTERS = 2_000_000;
/** Read at a time, in a few milliseconds. */
const PIECE_BYTES = 65_536;
/** The separators that spreadsheets write, the preferred one first. */
const SEPARATORS = [',', ';', '\t'];

/**
 * Reads CSV: a header with the names of the columns, and an item per record, whose values are text. The
 * separator is a comma, or a semicolon or tabulator if the header has no comma.
 * @throws {AppError} VALIDATION_ERROR for a faulty header, and for a file that is not UTF-8
 */
export async function readCsv(pieces: AsyncIterable<Uint8Array>, writer: ItemWriter): Promise<void> {
  let head = '';
  let reader: CsvReader | undefined;
  let header: Header | undefined;
  const take = async (records: readonly CsvRecord[]) => {
    for (const record of records) {
      if (header) await addItem(header, record, writer);
      else header = new Header(record);
    }
  };
  const takeHead = async (beginning: CsvReader) => {
    for (let start = 0; start < head.length; start += PIECE_BYTES) {
      await take(beginning.read(head.slice(start, start + PIECE_BYTES)));
      await yieldToEventLoop();
    }
    head = '';
  };
  for await (const text of textOf(pieces)) {
    if (reader) {
      await take(reader.read(text));
      continue;
    }
    // The first line decides about the separator.
    head += text;
    if (!/[\r\n]/.test(text) && head.length < MAX_CHARACTERS) continue;
    reader = readerFor(head);
    await takeHead(reader);
  }
  if (!reader) {
    reader = readerFor(head);
    await takeHead(reader);
  }
  await take(reader.end());
  if (!header) throw invalid('file', 'must begin with a line that names the columns');
}

function readerFor(head: string): CsvReader {
  const [line = ''] = head.split(/[\r\n]/, 1);
  const separator = SEPARATORS.find((candidate) => line.includes(candidate)) ?? ',';
  return new CsvReader({ separator, maxCharacters: MAX_CHARACTERS });
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
