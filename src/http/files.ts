import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, notFound } from '../errors.ts';
import { FileNotFoundError, type FileStore, type LinkOptions } from '../files/files.ts';

/** Signs links to stored files and checks them: HMAC-SHA256 over id and expiry, so that neither can be changed. */
export interface FileLinks {
  sign(id: string, options: LinkOptions): string;
  /** True for a link that this service signed and that has not expired. */
  verify(id: string, query: URLSearchParams): boolean;
}

/** Makes the signer. `baseUrl` is read at each link: the port is known only when the service listens. */
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
      const right = Buffer.from(signature(id, expires));
      return (
        given.length === right.length && timingSafeEqual(given, right) && Number(expires) * 1000 > Date.now()
      );
    },
  };
}

/** Larger files are not held in memory while they are sent. */
const SMALL_BYTES = 1_000_000;

/** Answers `GET /files/<id>`: the PDF as a stream, or 404 for a wrong or expired link and a file that is gone. */
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
    // Of a stream Bun does not send the length, which a reader wants for its progress.
    const body = sizeBytes <= SMALL_BYTES ? await new Response(stream).bytes() : stream;
    return new Response(body, {
      headers: {
        'content-type': 'application/pdf',
        'content-length': String(sizeBytes),
        'content-disposition': `inline; filename="${id}.pdf"`,
        'cache-control': 'private, max-age=3600, immutable',
        'x-content-type-options': 'nosniff',
        // A PDF opened on the service's own origin must not act on it.
        'content-security-policy': "sandbox; default-src 'none'",
      },
    });
  } catch (error) {
    if (error instanceof FileNotFoundError) throw notFound('file');
    throw error;
  }
}
