import { writeFileSync } from 'node:fs';
import { Channel } from './channel.ts';
import { dieWithParent } from './parent-death.ts';
import type { Call, Reply } from './protocol.ts';

/**
 * The program of a sandbox process, which runs one task at a time on its main thread. `sandbox-process.ts`
 * starts it as `bun host.ts <module>…` with the channel to the service as file descriptor 3. It imports the
 * modules and sends `ready`. It ends with the service.
 */

// A service manager signals all processes of a service, but only the service decides when its processes end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

dieWithParent();

if (process.platform === 'linux') {
  try {
    // A task may exhaust the machine between two checks of the memory watch. The kernel must then kill this
    // process, not the service.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Some containers forbid this. The memory watch still applies.
  }
}

const CHANNEL_FD = 3;
const COLLECT_AFTER_MS = 1_000;
/** The growth of memory after which garbage is collected at once instead of in the next pause. */
const MAX_GARBAGE_BYTES = 100_000_000;

let collector: Timer | undefined;
let last: Promise<void> = Promise.resolve();
let collectedBytes = process.memoryUsage.rss();

const channel = await Channel.open(CHANNEL_FD, {
  message: (call) => {
    last = last.then(() => answer(call as Call));
  },
  // The service has ended. An orderly exit could wait forever for a task, so use SIGKILL.
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
    if (typeof task !== 'function') throw new TypeError(`${module} does not export the task ${name}`);
    return { ok: true, value: await task(input) };
  } catch (error) {
    return thrown(error);
  }
}

function thrown(error: unknown): Reply {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { ok: false, message, stack };
}

/**
 * Returns memory to the system. JavaScriptCore collects garbage only while the heap grows, and the heap of an
 * idle process does not grow.
 */
function collectGarbage(): null {
  Bun.gc(true);
  Bun.shrink();
  collectedBytes = process.memoryUsage.rss();
  return null;
}
