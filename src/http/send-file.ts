import type { StoredFile } from '../files/files.ts';

/** Larger files are not held in memory while they are sent. */
const SMALL_BYTES = 1_000_000;

/** A file in a response. */
export interface SentFile {
  body: Uint8Array | ReadableStream<Uint8Array>;
  mediaType: string;
  fileName: string;
  /** Omitted from the response of a stream, because Bun sends streams in chunks. */
  sizeBytes: number;
}

/** Creates the response of a file. */
export function sendFile(
  { body, mediaType, fileName, sizeBytes }: SentFile,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': mediaType,
      'content-length': String(sizeBytes),
      'content-disposition': contentDisposition(fileName),
      // A PDF opened on the service's own origin must not act on it.
      'content-security-policy': "sandbox; default-src 'none'",
      ...headers,
    },
  });
}

/** Creates the response of a stored PDF. A small one is sent whole, with its length. */
export async function sendStored(
  { stream, sizeBytes }: StoredFile,
  fileName: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = sizeBytes <= SMALL_BYTES ? await new Response(stream).bytes() : stream;
  return sendFile({ body, mediaType: 'application/pdf', fileName, sizeBytes }, headers);
}

/**
 * Writes a Content-Disposition header that shows the file and names it (RFC 6266). Clients that do not know `filename*` get the name
 * with other characters than printable ASCII replaced.
 */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
