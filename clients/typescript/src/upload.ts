import { newKey } from './connection.ts';
import { chunksOf } from './download.ts';
import { jsonOf } from './json.ts';
import { readFile } from './local-files.ts';

type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file to upload: its path, its bytes, or a stream, which is sent as it comes. */
export type FileContent = string | Blob | ArrayBuffer | Uint8Array | Stream;

/** The items of a batch: an iterable with the data of each, or a file with CSV or a line of JSON for each. */
export type BulkItems = FileContent | Iterable<object> | AsyncIterable<object>;

/** Returns items as a file, or as a stream, which is sent only once. */
export async function fileOf(items: BulkItems): Promise<FileContent> {
  if (typeof items === 'string' || items instanceof Blob || items instanceof ArrayBuffer) return items;
  if (items instanceof Uint8Array) return items;
  const lines = linesOf(items instanceof ReadableStream ? chunksOf<object>(items) : items);
  if (!Array.isArray(items)) return lines;
  const list: Uint8Array<ArrayBuffer>[] = [];
  for await (const line of lines) list.push(line);
  return new File(list, 'items.ndjson');
}

/** Writes records as lines of JSON. Pieces of a file stay as they are. */
async function* linesOf(items: Iterable<object> | AsyncIterable<object>) {
  const encoder = new TextEncoder();
  for await (const item of items)
    yield item instanceof Uint8Array
      ? (item as Uint8Array<ArrayBuffer>)
      : encoder.encode(`${await jsonOf(item)}\n`);
}

/** Writes `multipart/form-data` (RFC 7578), as a stream if the content is one. */
export async function multipart(content: FileContent, fields: object) {
  const boundary = `platen-${newKey()}`;
  const disposition = `--${boundary}\r\ncontent-disposition: form-data; name=`;
  const parts = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text === undefined ? '' : `${disposition}"${name}"\r\n\r\n${text}\r\n`;
  });
  // The name says what a text or a table is.
  const name = typeof content === 'string' ? content : content instanceof File ? content.name : 'file';
  const fileName = name.replaceAll(/^.*[\\/]|["\r\n]/gs, '');
  const before = `${parts.join('')}${disposition}"file"; filename="${fileName}"\r\n\r\n`;
  const after = `\r\n--${boundary}--\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const file = typeof content === 'string' ? await readFile(content) : content;
  if (file instanceof Blob || file instanceof ArrayBuffer || file instanceof Uint8Array)
    return { headers, body: new Blob([before, file as BlobPart, after]) };
  const encoder = new TextEncoder();
  const chunks = file instanceof ReadableStream ? chunksOf(file) : file[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(before)),
    async pull(controller) {
      const { done, value } = await chunks.next();
      controller.enqueue(done ? encoder.encode(after) : value);
      if (done) controller.close();
    },
  });
  // Browsers cannot send a stream with HTTP/1.1.
  return { headers, body: 'document' in globalThis ? await new Response(stream).blob() : stream };
}
