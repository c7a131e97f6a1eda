import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, notFound } from '../errors.ts';
import { FileNotFoundError, type FileStore, type LinkOptions } from '../files/files.ts';
import { sendStored } from './send-file.ts';

/** Signs and verifies links to stored files. The signature is an HMAC-SHA256 over the id, the expiry and the file name. */
export interface FileLinks {
  sign(id: string, options: LinkOptions): string;
  /** True for a link that this service signed and that has not expired. */
  verify(id: string, query: URLSearchParams): boolean;
}

/** Creates the signer. `baseUrl` is called for each link, because it depends on the request. */
export function createFileLinks(key: string, baseUrl: () => string): FileLinks {
  // A link without a name has the signature that earlier releases gave it.
  const signature = (id: string, expires: string, name: string | null) =>
    createHmac('sha256', key)
      .update([id, expires, ...(name === null ? [] : [name])].join('\n'))
      .digest('base64url');
  return {
    sign(id, { expiresAt, fileName = null }) {
      const expires = String(Math.floor(expiresAt / 1000));
      const query = new URLSearchParams({ expires });
      if (fileName !== null) query.set('name', fileName);
      query.set('signature', signature(id, expires, fileName));
      return `${baseUrl()}/files/${id}?${query.toString()}`;
    },
    verify(id, query) {
      const expires = query.get('expires') ?? '';
      const given = Buffer.from(query.get('signature') ?? '');
      const expected = Buffer.from(signature(id, expires, query.get('name')));
      return (
        given.length === expected.length &&
        timingSafeEqual(given, expected) &&
        Number(expires) * 1000 > Date.now()
      );
    },
  };
}

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
    return await sendStored(await files.get(id), query.get('name') ?? `${id}.pdf`, {
      'cache-control': 'private, max-age=3600, immutable',
      'x-content-type-options': 'nosniff',
    });
  } catch (error) {
    if (error instanceof FileNotFoundError) throw notFound('file');
    throw error;
  }
}
