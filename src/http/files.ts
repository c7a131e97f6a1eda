import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, notFound } from '../errors.ts';
import { FileNotFoundError, type FileStore, type LinkOptions } from '../files/files.ts';

/** Signs and verifies links to stored files. The signature is an HMAC-SHA256 over the id and the expiry. */
export interface FileLinks {
  sign(id: string, options: LinkOptions): string;
  /** True for a link that this service signed and that has not expired. */
  verify(id: string, query: URLSearchParams): boolean;
}

/** Creates the signer. `baseUrl` is called for each link, because it depends on the request. */
export function createFileLinks(key: string, baseUrl: () => string): FileLinks {
  const signature = (id: string, expires: string) =>
    createHmac('sha256', key).update(`${id}\n${expires}`).digest('base64url');
  return {
    sign(id, { expiresAt }) {
      const expires = String(Math.floor(expiresAt / 1000));
      return `${baseUrl()}/files/${id}?expires=${expires}&signature=${signature(id, expires)}`;
    },
    verify(id, query) {
      const expires = query.get('expires') ?? '';
      const given = Buffer.from(query.get('signature') ?? '');
      const expected = Buffer.from(signature(id, expires));
      return (
        given.length === expected.length &&
        timingSafeEqual(given, expected) &&
        Number(expires) * 1000 > Date.now()
      );
    },
  };
}

/** Larger files are streamed. */
const MAX_BUFFERED_BYTES = 1_000_000;

/** Answers `GET /files/<id>` with the PDF. @throws {AppError} NOT_FOUND for an invalid or expired link and a deleted file */
export async function serveFile(
  files: FileStore,
  links: FileLinks,
  id: string,
  query: URLSearchParams,
): Promise<Response> {
  if (!links.verify(id, query))
    throw new AppError('NOT_FOUND', 'the file does not exist, or its link has expired');
  try {
    const { stream, sizeBytes } = await files.get(id);
    // Bun sends no Content-Length with a stream, and clients need it to show progress.
    const body = sizeBytes <= MAX_BUFFERED_BYTES ? await new Response(stream).bytes() : stream;
    return new Response(body, {
      headers: {
        'content-type': 'application/pdf',
        'content-length': String(sizeBytes),
        'content-disposition': `inline; filename="${id}.pdf"`,
        'cache-control': 'private, max-age=3600, immutable',
        'x-content-type-options': 'nosniff',
        // A PDF that is opened in a browser must not have access to the origin of the service.
        'content-security-policy': "sandbox; default-src 'none'",
      },
    });
  } catch (error) {
    if (error instanceof FileNotFoundError) throw notFound('file');
    throw error;
  }
}
