import { writeFileSync } from 'node:fs';
import { Channel } from './channel.ts';
import { dieWithParent } from './parent-death.ts';
import type { Call, Reply } from './protocol.ts';

/**
 * A sandbox process: runs one task at a time on its main thread. Started by `sandbox-process.ts` as `bun host.ts <module>…`,
 * with the channel to the service as file descriptor 3; it imports the modules, sends `ready`, and lives no longer than the service.
 */

// A terminal signals the whole group; the service decides when to end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

dieWithParent();

if (process.platform === 'linux') {
  try {
    // Between two looks of the memory watch a task may exhaust the machine; the kernel must then choose this process, not the service.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not permitted in some containers; the watch still holds.
  }
}

const CHANNEL_FD = 3;
const COLLECT_AFTER_MS = 1_000;
/** What tasks may leave behind before it is collected without waiting for a pause. */
const MAX_GARBAGE_BYTES = 100_000_000;

let collector: Timer | undefined;
let last: Promise<void> = Promise.resolve();
let collectedBytes = process.memoryUsage.rss();

const channel = await Channel.open(CHANNEL_FD, {
  message: (call) => {
    last = last.then(() => answer(call as Call));
  },
  // The service is gone. SIGKILL, because an orderly exit would wait for what may never end.
  closed: () => process.kill(process.pid, 'SIGKILL'),
});

for (const module of process.argv.slice(2)) await import(module);
channel.send('ready');

async function answer(call: Call): Promise<void> {
  clearTimeout(collector);
  const reply = await run(call);
  try {
    channel.send(reply);
  } catch (error) {
    channel.send(thrown(error));
  }
  if (process.memoryUsage.rss() - collectedBytes > MAX_GARBAGE_BYTES) {
    await channel.drained();
    collectGarbage();
  }
  collector = setTimeout(collectGarbage, COLLECT_AFTER_MS);
}

async function run({ module, name, input }: Call): Promise<Reply> {
  try {
    if (module === undefined) return { ok: true, value: name === 'collectGarbage' ? collectGarbage() : null };
    const tasks: Record<string, unknown> = await import(module);
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (typeof task !== 'function') throw new TypeError(`${module} exports no task ${name}`);
    return { ok: true, value: await task(input) };
  } catch (error) {
    return thrown(error);
  }
}

function thrown(error: unknown): Reply {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { ok: false, message, stack };
}

/** Gives memory back to the system: JavaScriptCore collects when a heap grows, and the heap of an idle process does not. */
function collectGarbage(): null {
  Bun.gc(true);
  Bun.shrink();
  collectedBytes = process.memoryUsage.rss();
  return null;
}
