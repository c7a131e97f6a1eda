import { newKey } from './connection.ts';
import { chunksOf } from './download.ts';
import { readFile } from './local-files.ts';

type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file to upload: its path, its bytes, or a stream, which is sent as it comes. */
export type FileContent = string | Blob | ArrayBuffer | Uint8Array | Stream;

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
