import { deserialize } from 'bun:jsc';
import { encode, MAX_BODY_BYTES } from './transport.ts';

/** A task as it reaches a thread: still serialized, so that the child's main thread never unpacks what a caller sent. */
export interface ThreadTask {
  module: string;
  name: string;
  body: ArrayBuffer;
}

/** What a thread hands back: a serialized value, or what was thrown. */
export interface ThreadReply {
  thrown: boolean;
  body: Buffer<ArrayBuffer>;
}

/** Loads the module, once a thread, and runs its function. Never throws: a thrown value is a reply. */
export async function runTask({ module, name, body }: ThreadTask): Promise<ThreadReply> {
  try {
    const tasks: Record<string, unknown> = await import(module);
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (typeof task !== 'function') throw new TypeError(`${module} exports no task ${name}`);
    const reply = encode(await task(deserialize(body)));
    if (reply.byteLength > MAX_BODY_BYTES)
      throw new RangeError(`the result of ${name} has ${reply.byteLength} bytes serialized`);
    return { thrown: false, body: reply };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { thrown: true, body: encode({ message, stack }) };
  }
}

/** Gives memory back to the system. JavaScriptCore collects when a heap grows, and the heap of an idle thread does not. */
export function collectGarbage(): void {
  Bun.gc(true);
  Bun.shrink();
}
