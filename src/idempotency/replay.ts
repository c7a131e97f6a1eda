import { AppError } from '../errors.ts';
import { FileNotFoundError, type FileStore, type StoredFile } from '../files/files.ts';
import type { FileOwners } from '../files/orphans.ts';
import { RawJson } from '../json/raw-json.ts';
import { sendFile } from '../http/send-file.ts';
import { sendJson, sendLong, type ResponseMemory } from '../http/send-long.ts';
import { streamArchive } from '../parts-archive.ts';
import type { KeptResponse } from './kept-response.ts';

/** The parts of the service that repeat a response. */
export interface ReplayParts {
  files: Pick<FileStore, 'get'>;
  fileOwners: Pick<FileOwners, 'isOwner'>;
}

/** The account that repeats a request, and the memory for its response. */
export interface ReplayRequest {
  accountId: string;
  /** @throws {AppError} RATE_LIMITED */
  reserveMemory: (bytes: number) => void;
  /** The memory of a response that the caller has not read. */
  unread: ResponseMemory | undefined;
}

/**
 * Sends a kept response again. Reads its files again, so that a deleted file is not delivered.
 * @throws {AppError} GONE when a file was deleted or has expired
 */
export async function replay(
  parts: ReplayParts,
  { accountId, reserveMemory, unread }: ReplayRequest,
  { status, headers, body }: KeptResponse,
): Promise<Response> {
  async function open(fileId: string): Promise<StoredFile> {
    if (!(await parts.fileOwners.isOwner(accountId, fileId))) throw gone();
    return parts.files.get(fileId).catch((error: unknown) => {
      throw error instanceof FileNotFoundError ? gone() : error;
    });
  }

  async function read(fileId: string): Promise<Uint8Array> {
    const { stream, sizeBytes } = await open(fileId);
    reserveMemory(sizeBytes);
    return new Response(stream).bytes();
  }

  if (body.kind === 'none') return new Response(null, { status, headers });
  if (body.kind === 'file') return sendFile({ ...UNNAMED, body: await open(body.fileId) }, headers);
  if (body.kind === 'archive') {
    const entries = [];
    for (const { name, fileId } of body.files) entries.push({ name, content: await read(fileId) });
    // As a stored file, because the memory of its parts is already reserved.
    return sendFile({ ...UNNAMED, body: streamArchive(entries) }, headers);
  }
  const contents = new Map<string, Uint8Array>();
  for (const { name, fileId } of body.files) contents.set(name, await read(fileId));
  const response =
    contents.size === 0
      ? sendJson(new RawJson(Buffer.from(body.text)), status, unread)
      : sendLong(insert(JSON.parse(body.text), contents), status, unread);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** The kept headers replace the type and the name. */
const UNNAMED = { mediaType: 'application/octet-stream', fileName: 'file' };

/** Replaces each string that names a content by the content. */
function insert(value: unknown, contents: ReadonlyMap<string, Uint8Array>): unknown {
  if (typeof value === 'string') return contents.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => insert(item, contents));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, insert(item, contents)]));
}

function gone(): AppError {
  return new AppError(
    'GONE',
    'the first request with this Idempotency-Key succeeded, but its file was deleted or has expired',
  );
}
