import { pack, unpack } from './envelope.ts';

/** The largest argument or result in bytes, serialized: above every limit that the API sets, below what would endanger the service. */
export const MAX_BODY_BYTES = 512 * 1024 * 1024;

/** The parts of a request to the child: `POST /run?module=<URL>&name=<function>`, the packed argument as body. */
export interface TaskCall {
  module: string;
  name: string;
  input: unknown;
}

/** What the child answered: the task's value, or what it threw. */
export type TaskReply = { ok: true; value: unknown } | { ok: false; thrown: Error };

/** Rejects a call whose argument or result cannot cross; the child is in order. */
export class UncloneableError extends Error {
  override name = 'UncloneableError';
}

/**
 * Runs a task in the child that listens on the socket. HTTP over a unix socket, because Bun's IPC takes more than twice as long for 25 MB.
 * The answer is structured-clone data and nothing else: a child that a parser bug has turned can send wrong values, but no code.
 *
 * @throws {UncloneableError} when the argument is not structured-cloneable, or too large.
 * @throws {Error} when the child cannot be reached, dies meanwhile, or answers with something other than a reply.
 */
export async function callChild(socketPath: string, { module, name, input }: TaskCall): Promise<TaskReply> {
  const parts = encode(input);
  const size = sizeOf(parts);
  if (size > MAX_BODY_BYTES) throw new UncloneableError(`the argument of ${name} has ${size} bytes`);
  const response = await send(socketPath, `/run?${new URLSearchParams({ module, name })}`, {
    method: 'POST',
    body: size > PIECE_BYTES ? streamOf(parts) : Buffer.concat(parts, size),
  });
  const { status } = response;
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  if (status !== 200 && status !== 500) throw new Error(`the tool process answered ${status}`);
  if (!(length <= MAX_BODY_BYTES))
    throw new Error('the tool process sent no length, or one that is too large');
  const reply = unpack(await response.arrayBuffer());
  return status === 200 ? { ok: true, value: reply } : { ok: false, thrown: asError(reply) };
}

/** Resolves when the child's main thread answers. */
export async function pingChild(socketPath: string, signal: AbortSignal): Promise<void> {
  const response = await send(socketPath, '/ping', { signal });
  if (response.status !== 200) throw new Error(`the tool process answered ${response.status}`);
}

/** Packs a value for the child, or in it. @throws {UncloneableError} */
export function encode(value: unknown): Uint8Array[] {
  try {
    return pack(value);
  } catch (error) {
    throw new UncloneableError(
      'a value that crosses to or from the tool process must be structured-cloneable',
      { cause: error },
    );
  }
}

/** Adds up the bytes of parts. */
export function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** What is sent at a time; between two pieces the service does other work. */
const PIECE_BYTES = 256 * 1024;

function streamOf(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const pieces = piecesOf(parts);
  return new ReadableStream({
    pull(controller) {
      const { value, done } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function* piecesOf(parts: readonly Uint8Array[]): Generator<Uint8Array, undefined> {
  for (const part of parts)
    for (let start = 0; start < part.length; start += PIECE_BYTES)
      yield part.subarray(start, start + PIECE_BYTES);
}

// HTTP_PROXY in the service's environment is not meant for the socket; the deadline is the scheduler's;
// and a kept connection that the child closes while a task is sent on it would look like a crash.
function send(socketPath: string, path: string, init: RequestInit): Promise<Response> {
  return fetch(`http://tools${path}`, {
    ...init,
    unix: socketPath,
    proxy: false,
    timeout: false,
    keepalive: false,
  });
}

function asError(thrown: unknown): Error {
  const { message, stack } = (thrown ?? {}) as { message?: unknown; stack?: unknown };
  const error = new Error(typeof message === 'string' ? message : 'the task threw');
  if (typeof stack === 'string') error.stack = stack;
  return error;
}
