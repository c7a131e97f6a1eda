import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { storedIdOf } from '../files/stored-bytes.ts';
import { RawJson } from '../json/raw-json.ts';
import { contentOf } from '../http/send-file.ts';
import { withoutBytes } from '../http/send-long.ts';
import type { Sealer } from '../sealer.ts';

/** A file in a response: the string that stands for it in the JSON text, or its name in an archive. */
interface NamedFile {
  name: string;
  fileId: string;
}

/** The body of a response, with the ids of stored files instead of their bytes. */
export type KeptBody =
  | { kind: 'none' }
  /** Each string that equals the name of a file stands for the content of that file in base64. */
  | { kind: 'json'; text: string; files: readonly NamedFile[] }
  | { kind: 'file'; fileId: string }
  | { kind: 'archive'; files: readonly NamedFile[] };

/** A response as it is kept for repeated requests. */
export interface KeptResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: KeptBody;
}

/** Longer texts are not kept: the event loop must not wait long for their encoding and encryption. */
const MAX_TEXT_CHARACTERS = 8_000_000;
const MAX_COMPRESSED_BYTES = 2_000_000;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * Describes the result of a handler: a `Response`, JSON text, an object that is sent as JSON, or nothing.
 * Returns `null` for a result with bytes that are in no stored file: its request has only read something, and
 * can run again.
 */
export function keepable(
  result: unknown,
  { status, headers }: { status: number; headers: Headers },
): KeptResponse | null {
  const own = Object.fromEntries(headers);
  if (result instanceof Response) {
    const { 'content-length': _, ...rest } = Object.fromEntries(result.headers);
    const body = bodyOf(result);
    return body && { status: result.status, headers: { ...own, ...rest }, body };
  }
  if (result instanceof RawJson)
    return { status, headers: own, body: { kind: 'json', text: result.text, files: [] } };
  if (typeof result !== 'object' || result === null) return { status, headers: own, body: { kind: 'none' } };
  const body = jsonOf(result);
  return body && { status, headers: own, body };
}

function bodyOf(response: Response): KeptBody | null {
  if (response.body === null) return { kind: 'none' };
  const content = contentOf(response);
  if (content === undefined) return null;
  if (content instanceof Uint8Array) {
    const fileId = storedIdOf(content);
    return fileId === undefined ? null : { kind: 'file', fileId };
  }
  const files = content.flatMap((entry) => {
    const fileId = storedIdOf(entry.content);
    return fileId === undefined ? [] : [{ name: entry.name, fileId }];
  });
  return files.length === content.length ? { kind: 'archive', files } : null;
}

function jsonOf(value: object): KeptBody | null {
  const files: NamedFile[] = [];
  let isStored = true;
  const text = JSON.stringify(
    withoutBytes(value, (bytes) => {
      const fileId = storedIdOf(bytes);
      isStored &&= fileId !== undefined;
      // A random name cannot occur in the value by chance or by intent.
      const name = crypto.randomUUID();
      files.push({ name, fileId: fileId ?? '' });
      return name;
    }),
  );
  return isStored ? { kind: 'json', text, files } : null;
}

/** Compresses and encrypts a response. Returns `null` if it is too large. */
export async function sealKept(sealer: Sealer, id: string, response: KeptResponse): Promise<string | null> {
  const { body } = response;
  if (body.kind === 'json' && body.text.length > MAX_TEXT_CHARACTERS) return null;
  const compressed = await compress(JSON.stringify(response));
  return compressed.length > MAX_COMPRESSED_BYTES ? null : sealer.seal(id, compressed.toString('base64'));
}

/** Reverses {@link sealKept}. @throws {UnsealError} */
export async function openKept(sealer: Sealer, id: string, sealed: string): Promise<KeptResponse> {
  const text = await decompress(Buffer.from(sealer.unseal(id, sealed), 'base64'));
  const response: KeptResponse = JSON.parse(text.toString('utf8'));
  return response;
}
