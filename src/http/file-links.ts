import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, notFound } from '../errors.ts';
import { FileNotFoundError, isFileId, type FileStore, type LinkOptions } from '../files/files.ts';
import { fileTypeOf } from '../files/media-type.ts';
import type { FileOwners } from '../files/orphans.ts';
import type { Identity } from './authenticate.ts';
import { readUrl } from './request-line.ts';
import { sendFile } from './send-file.ts';

/** The state of a link: `valid`, `expired`, or `forged` when this service did not sign it. */
export type LinkState = 'valid' | 'expired' | 'forged';

/**
 * Signs and verifies links to stored files. The signature is an HMAC-SHA256 over the id, the expiry and the
 * file name.
 */
export interface FileLinks {
  sign(id: string, options: LinkOptions): string;
  verify(id: string, query: URLSearchParams): LinkState;
}

/** Creates the signer. `baseUrl` is called for each link, because it depends on the request. */
export function createFileLinks(key: string, baseUrl: () => string): FileLinks {
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
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
      return Number(expires) * 1000 > Date.now() ? 'valid' : 'expired';
    },
  };
}

const MAX_CACHE_SECONDS = 3_600;

export interface FileParts {
  files: FileStore;
  links: FileLinks;
  fileOwners: Pick<FileOwners, 'isOwner'>;
}

/** A request for a file. `identify` is only called for a request with credentials whose link is not valid. */
export interface FileRequest {
  id: string;
  request: Request;
  identify: () => Promise<Identity>;
}

/**
 * Answers `GET /files/<id>` with the file, for a valid link or the API key of the account that owns the file.
 * @throws {AppError} NOT_FOUND for an expired link, a deleted file, and the key of another account; FORBIDDEN
 * for a link that the service did not sign; UNAUTHORIZED for an invalid key
 */
export async function serveFile(
  { files, links, fileOwners }: FileParts,
  { id, request, identify }: FileRequest,
): Promise<Response> {
  const query = readUrl(request).searchParams;
  const state = links.verify(id, query);
  if (state !== 'valid') {
    if (!request.headers.has('authorization')) throw explainLink(state);
    const { account } = await identify();
    if (!(isFileId(id) && (await fileOwners.isOwner(account.id, id)))) throw notFound('file');
  }
  try {
    const { mediaType, extension } = fileTypeOf(id);
    // The name of a forged link is not signed.
    const name = state === 'forged' ? null : query.get('name');
    const fileName = name ?? `${id}.${extension}`;
    return await sendFile(
      { body: await files.get(id), fileName, mediaType },
      {
        'cache-control': state === 'valid' ? cacheControl(query) : 'private, no-store',
        'x-content-type-options': 'nosniff',
        // A file that is opened in a browser must not have access to the origin of the service.
        'content-security-policy': "sandbox; default-src 'none'",
      },
    );
  } catch (error) {
    if (error instanceof FileNotFoundError)
      throw new AppError('NOT_FOUND', 'the file was deleted', { cause: error });
    throw error;
  }
}

/**
 * Lets the browser of the caller keep the file for an hour, but not longer than the link, which may end with
 * the lifetime of the file.
 */
function cacheControl(validLink: URLSearchParams): string {
  const seconds = Number(validLink.get('expires')) - Math.floor(Date.now() / 1000);
  return `private, max-age=${Math.min(seconds, MAX_CACHE_SECONDS)}, immutable`;
}

function explainLink(state: 'expired' | 'forged'): AppError {
  return state === 'expired'
    ? new AppError('NOT_FOUND', 'the link has expired; read the generation or the file again for a new link')
    : new AppError(
        'FORBIDDEN',
        'the signature of the link is missing or wrong; use the whole link as it was returned',
      );
}
