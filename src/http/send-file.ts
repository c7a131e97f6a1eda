import { contentDisposition } from '../files/content-disposition.ts';
import type { StoredFile } from '../files/files.ts';
import { streamArchive, type ArchiveEntry } from '../parts-archive.ts';
import { yieldToEventLoop } from '../time-slice.ts';
import type { ResponseMemory } from './send-long.ts';

/** Larger files are not held in memory while they are sent. */
const SMALL_BYTES = 1_000_000;

export interface SentFile {
  /** The bytes, a stored file, or the files of a zip archive. */
  body: Uint8Array | StoredFile | readonly ArchiveEntry[];
  mediaType: string;
  fileName: string;
}

/** The content of a response: the bytes of a file, or the files of an archive. */
export type SentContent = Uint8Array | readonly ArchiveEntry[];

const contents = new WeakMap<Response, SentContent>();

/** Returns the content of a response that {@link sendFile} created; `undefined` for a stream. */
export function contentOf(response: Response): SentContent | undefined {
  return contents.get(response);
}

/** The sizes of responses that are sent from memory. */
const heldBytes = new WeakMap<Response, number>();

const PIECE_BYTES = 262_144;

/** Creates the response of a file. A small stored file is sent whole, with its length. */
export async function sendFile(
  { body, mediaType, fileName }: SentFile,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { bytes, sizeBytes, content } = await readBody(body);
  const response = new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': mediaType,
      // Not sent with a stream, because Bun sends streams in chunks.
      'content-length': String(sizeBytes),
      'content-disposition': contentDisposition(fileName),
      // A PDF opened on the service's own origin must not act on it.
      'content-security-policy': "sandbox; default-src 'none'",
      ...headers,
    },
  });
  if (content) contents.set(response, content);
  // A stream from the file store holds no memory.
  if (content && sizeBytes > SMALL_BYTES) heldBytes.set(response, sizeBytes);
  return response;
}

/** Returns what is sent, its size, and its content unless that is a large stored file. */
async function readBody(body: SentFile['body']): Promise<{
  bytes: Uint8Array | ReadableStream<Uint8Array>;
  sizeBytes: number;
  content?: SentContent;
}> {
  if (body instanceof Uint8Array) return { bytes: body, sizeBytes: body.length, content: body };
  if (!('stream' in body)) {
    const { stream, sizeBytes } = streamArchive(body);
    return { bytes: stream, sizeBytes, content: body };
  }
  const { stream, sizeBytes } = body;
  if (sizeBytes > SMALL_BYTES) return { bytes: stream, sizeBytes };
  const bytes = await new Response(stream).bytes();
  return { bytes, sizeBytes, content: bytes };
}

/**
 * Reserves the memory of a large file that is sent from memory, until the caller has read it or disconnected.
 * Returns other responses as they are.
 * @throws {AppError} RATE_LIMITED when the caller may not reserve more memory
 */
export function holdUnread(response: Response, memory: ResponseMemory | undefined): Response {
  const sizeBytes = heldBytes.get(response);
  if (sizeBytes === undefined || !response.body || !memory) return response;
  memory.reserve(sizeBytes);
  const reader = response.body.getReader();
  let rest: Uint8Array = new Uint8Array();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        // Also shows the server's back-pressure before the next piece.
        await yieldToEventLoop();
        if (rest.length === 0) {
          const { value, done } = await reader.read();
          if (done) {
            memory.release();
            return controller.close();
          }
          rest = value;
        }
        // In pieces, because the last one counts as read as soon as the server has taken it.
        controller.enqueue(rest.subarray(0, PIECE_BYTES));
        rest = rest.subarray(PIECE_BYTES);
      } catch (error) {
        memory.release();
        throw error;
      }
    },
    cancel(reason) {
      memory.release();
      return reader.cancel(reason);
    },
  });
  return new Response(stream, { status: response.status, headers: response.headers });
}
