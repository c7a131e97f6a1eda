import { invalid, Type, type StreamedBodyKind } from '../../../../src/plugin.ts';
import { BulkForm } from '../schemas.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import { ItemWriter, type BodyStream, type ReceivedItems } from './received-items.ts';

/** A received body: its items, and the fields that its parts have. */
export interface BulkBody {
  items: ReceivedItems;
  fields: Readonly<Record<string, string>>;
}

/** The schema of a received body. Its reader has checked it. */
export const BulkBody = Type.Unsafe<BulkBody>(Type.Unknown());

type StreamedBody = ReturnType<ReturnType<StreamedBodyKind['createStreamReader']>>;
type ReadItems = (pieces: AsyncIterable<Uint8Array>, writer: ItemWriter) => Promise<void>;

/** Enough for the options, which are stored with every item that waits in the queue. */
const MAX_FIELD_BYTES = 262_144;
const FILE = 'file';

const NDJSON = Type.String({
  title: 'BulkLines',
  description: 'A JSON object per line: the data of an item. Blank lines are skipped.',
});
const CSV = Type.String({
  title: 'BulkTable',
  description: 'A header that names the columns, then an item per line, whose values are text.',
});

/** The bodies of `POST /v1/batches`. Their items are stored while they arrive. */
export const bulkBodyKinds: readonly StreamedBodyKind[] = [
  {
    name: 'bulk-ndjson',
    label: 'NDJSON',
    mediaType: 'application/x-ndjson',
    accepts: (type) => ['application/x-ndjson', 'application/ndjson', 'application/jsonl'].includes(type),
    createStreamReader: () => (body) => readRaw(body, readNdjson),
    describe: () => NDJSON,
  },
  {
    name: 'bulk-csv',
    label: 'CSV',
    mediaType: 'text/csv',
    createStreamReader: () => (body) => readRaw(body, readCsv),
    describe: () => CSV,
  },
  {
    name: 'bulk-form',
    label: 'form data',
    mediaType: 'multipart/form-data',
    createStreamReader: () => readForm,
    describe: () => BulkForm,
  },
];

async function readRaw(body: BodyStream, read: ReadItems): StreamedBody {
  return receive(body, (writer) => read(hashed(body), writer).then(() => ({})));
}

/**
 * Reads parts: fields, and the file of the items, whose format its file name tells, or else its first bytes.
 */
async function readForm(body: BodyStream): StreamedBody {
  const names = Object.keys(BulkForm.properties);
  return receive(body, async (writer) => {
    const fields: Record<string, string> = {};
    let hasFile = false;
    for await (const { name, fileName, content } of body.parts()) {
      if (!names.includes(name))
        throw invalid(name.slice(0, 100), `is unknown; valid parts are ${names.join(', ')}`);
      if (name === FILE ? hasFile : Object.hasOwn(fields, name))
        throw invalid(name, 'is given more than once');
      if (name === FILE) {
        hasFile = true;
        await readFile(content, fileName, writer);
      } else fields[name] = await readField(name, content);
    }
    if (!hasFile) throw invalid(FILE, 'is missing: the file with the items');
    return fields;
  });
}

async function readFile(
  content: AsyncIterable<Buffer>,
  fileName: string | undefined,
  writer: ItemWriter,
): Promise<void> {
  const pieces = content[Symbol.asyncIterator]();
  const first = await pieces.next();
  const head = first.done ? Buffer.alloc(0) : first.value;
  const all = async function* () {
    yield head;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  };
  if (!isCsv(fileName, head)) return readNdjson(all(), writer);
  const separator = fileName?.toLowerCase().endsWith('.tsv') ? '\t' : undefined;
  return readCsv(all(), writer, separator);
}

/** A line of NDJSON begins with a brace. A file without content is NDJSON without items. */
function isCsv(fileName = '', head: Buffer): boolean {
  const name = fileName.toLowerCase();
  if (name.endsWith('.csv') || name.endsWith('.tsv')) return true;
  if (name.endsWith('.ndjson') || name.endsWith('.jsonl')) return false;
  const start = head.toString('utf8', 0, 1_000).trimStart();
  return start !== '' && !start.startsWith('{');
}

async function readField(name: string, content: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > MAX_FIELD_BYTES) throw invalid(name, `must have at most ${MAX_FIELD_BYTES} bytes`);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw invalid(name, 'is not valid UTF-8');
  }
}

/** Reads a body to its end. Leaves nothing behind if that fails. */
async function receive(
  body: BodyStream,
  read: (writer: ItemWriter) => Promise<Readonly<Record<string, string>>>,
): StreamedBody {
  const writer = new ItemWriter(body.files);
  try {
    const fields = await read(writer);
    const items = await writer.end();
    return { parse: () => ({ items, fields }) satisfies BulkBody, discard: () => items.discard() };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function* hashed(body: BodyStream): AsyncGenerator<Uint8Array> {
  for await (const piece of body.pieces) {
    body.hash(piece);
    yield piece;
  }
}
