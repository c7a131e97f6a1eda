import { move, transferableSymbol, valueSymbol } from 'piscina';
import { unpack } from './envelope.ts';
import { encode, MAX_BODY_BYTES, sizeOf } from './transport.ts';

/** A task as it reaches a thread: still packed, so that the child's main thread never unpacks what a caller sent. */
export interface ThreadTask {
  module: string;
  name: string;
  body: ArrayBuffer;
}

/** What a thread hands back: a packed value, or what was thrown. */
export interface ThreadReply {
  thrown: boolean;
  body: ArrayBuffer;
}

/** What a result of this size was made from is not left to a collection that may be far off. */
const LARGE_BYTES = 8_000_000;

/** Loads the module, once a thread, and runs its function. Never throws: a thrown value is a reply. */
export async function runTask(task: ThreadTask): Promise<ThreadReply> {
  const reply = await run(task);
  // Moved to the main thread, not cloned.
  return move({ [transferableSymbol]: reply.body, [valueSymbol]: reply }) as unknown as ThreadReply;
}

async function run({ module, name, body }: ThreadTask): Promise<ThreadReply> {
  try {
    const tasks: Record<string, unknown> = await import(module);
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (typeof task !== 'function') throw new TypeError(`${module} exports no task ${name}`);
    const parts = encode(await task(unpack(body)));
    // The argument may be large, and a collection of garbage far off. It stays where the result lies in it.
    if (!parts.some(({ buffer }) => buffer === body)) body.transfer(0);
    const size = sizeOf(parts);
    if (size > MAX_BODY_BYTES) throw new RangeError(`the result of ${name} has ${size} bytes serialized`);
    const joined = join(parts);
    if (size > LARGE_BYTES) setImmediate(collectGarbage);
    return { thrown: false, body: joined };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { thrown: true, body: join(encode({ message, stack })) };
  }
}

function join(parts: readonly Uint8Array[]): ArrayBuffer {
  const joined = new Uint8Array(sizeOf(parts));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined.buffer;
}

/** Gives memory back to the system. JavaScriptCore collects when a heap grows, and the heap of an idle thread does not. */
export function collectGarbage(): void {
  Bun.gc(true);
  Bun.shrink();
}
