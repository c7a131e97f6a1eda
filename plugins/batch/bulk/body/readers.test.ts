import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { AppError } from '../../../../src/plugin.ts';
import { BulkBody, bulkBodyKinds } from './body-kinds.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import { ItemWriter, type BodyStream } from './received-items.ts';

type Read = (pieces: AsyncIterable<Uint8Array>, writer: ItemWriter) => Promise<void>;

const MINUTE_MS = 60_000;
const EMPTY_FORM = { headers: new Headers(), pieces: piecesOf(''), hash: () => {} };

afterEach(() => void setSystemTime());

/** Keeps files in memory. */
class Files implements Pick<BodyStream['files'], 'put' | 'delete'> {
  readonly stored = new Map<string, Buffer>();

  async put(id: string, content: Parameters<BodyStream['files']['put']>[1]): Promise<number> {
    const bytes = Buffer.from(content as Uint8Array);
    this.stored.set(id, bytes);
    return bytes.length;
  }

  async delete(id: string): Promise<void> {
    this.stored.delete(id);
  }

  get text(): string {
    return Buffer.concat([...this.stored.values()]).toString();
  }
}

async function* piecesOf(...pieces: readonly (string | (() => string))[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(typeof piece === 'string' ? piece : piece());
}

/** Reads a file, and returns the items as they are stored. */
async function itemsOf(read: Read, ...pieces: readonly string[]): Promise<string> {
  const files = new Files();
  const writer = new ItemWriter(files);
  await read(piecesOf(...pieces), writer);
  await writer.end();
  return files.text;
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(AppError);
  return (error as AppError).message;
}

/** Counts the turns that other work gets. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

test('the rows of CSV may not become more than 100 MB of items', async () => {
  let stored = 0;
  const put = async (_: string, content: unknown) => (stored += (content as Uint8Array).length);
  const writer = new ItemWriter({ put, delete: async () => {} });
  const item = Buffer.alloc(2_000_000, ' ');
  for (let count = 0; count < 49; count += 1) await writer.add(item);
  // A record of 500,000 characters, which JSON writes with six times as many.
  const rows = readCsv(piecesOf(`a\n${'\u0001'.repeat(500_000)}`), writer);
  expect(await refusal(rows)).toContain(
    'file: has items of more than 100000000 bytes in total, written as JSON',
  );
  expect(stored).toBe(49 * 2_000_001);
});

test.each([
  ['n'.repeat(65_600), 'has names of more than 65536 bytes'],
  ['\u0001'.repeat(11_000), 'has names of more than 65536 bytes'],
  [','.repeat(1_100_000), 'has more than 1000 columns'],
  ['n,n', 'names the column "n" twice'],
])('a header of CSV is refused (%#)', async (header, message) => {
  expect(await refusal(itemsOf(readCsv, `${header}\n1\n`))).toContain(`file: line 1 ${message}`);
});

test.each([
  ['a,b\n1,2', '{"a":"1","b":"2"}\n'],
  ['a;b\n1;2', '{"a":"1","b":"2"}\n'],
  ['a\tb\n1\t2', '{"a":"1","b":"2"}\n'],
  ['"a, x";b\n1;2', '{"a, x":"1","b":"2"}\n'],
  ['"a\n,x,y";b\n1;2', '{"a\\n,x,y":"1","b":"2"}\n'],
  ['a, x;b;c\n1;2;3', '{"a, x":"1","b":"2","c":"3"}\n'],
  ['\n\na;b\n1;2', '{"a":"1","b":"2"}\n'],
  ['a\n1;2', '{"a":"1;2"}\n'],
])('%j is separated as its header is', async (text, items) => {
  expect(await itemsOf(readCsv, text)).toBe(items);
  expect(await itemsOf(readCsv, ...text.split(''))).toBe(items);
});

test('a file of the type .tsv is separated by tabs', async () => {
  const files = new Files();
  const [, , form] = bulkBodyKinds;
  if (form?.mediaType !== 'multipart/form-data') throw new Error('the kinds have another order');
  const parts = async function* () {
    const content = piecesOf('a, x, y\tb\n1\t2') as AsyncGenerator<Buffer>;
    yield { name: 'file', fileName: 'Data.TSV', type: undefined, content };
  };
  const body = { ...EMPTY_FORM, files, parts } as unknown as BodyStream;
  const { items } = (await form.createStreamReader(BulkBody)(body)).parse() as BulkBody;
  expect(items.total).toBe(1);
  expect(files.text).toBe('{"a, x, y":"1","b":"2"}\n');
});

test.each<[string, Read, string]>([
  ['blank lines of NDJSON', readNdjson, '\n'],
  ['the beginning of a line of NDJSON', readNdjson, '{'],
  ['blank lines of CSV', readCsv, '\n'],
])('%s that arrive after 10 minutes are refused', async (_, read, late) => {
  const pieces = piecesOf('{"a":1}\n', () => {
    setSystemTime(Date.now() + 11 * MINUTE_MS);
    return late;
  });
  expect(await refusal(read(pieces, new ItemWriter(new Files())))).toContain('complete in 10 minutes');
});

test('a body that ends after 10 minutes is refused', async () => {
  const writer = new ItemWriter(new Files());
  await readNdjson(piecesOf('{"a":1}\n'), writer);
  setSystemTime(Date.now() + 11 * MINUTE_MS);
  expect(await refusal(writer.end())).toContain('complete in 10 minutes');
});

test.each<[string, Read, string]>([
  ['NDJSON', readNdjson, '{"a":"1"}'],
  ['CSV', readCsv, 'a\n1'],
])('the blank lines of %s are limited', async (_, read, text) => {
  const blank = '\r\n'.repeat(99_999);
  expect(await itemsOf(read, `${blank}${text}`)).toBe('{"a":"1"}\n');
  expect(await refusal(itemsOf(read, `${blank}\n\n${text}`))).toContain('has more than 100000 blank lines');
});

test.each<[string, Read, string]>([
  ['piece of blank NDJSON', readNdjson, `${'\n'.repeat(99_000)}{"a":1}`],
  ['piece of long CSV', readCsv, `a\n"${'x'.repeat(20_000_000)}`],
])('other work gets its turn during a %s', async (_, read, text) => {
  const pieces = piecesOf(text);
  expect(await turnsDuring(() => read(pieces, new ItemWriter(new Files())))).toBeGreaterThan(3);
});
