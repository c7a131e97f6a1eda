import { rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { Piscina } from 'piscina';
import { MAX_BODY_BYTES } from './transport.ts';
import { collectGarbage, type ThreadReply, type ThreadTask } from './worker.ts';

/**
 * The tool process: takes tasks over a unix socket and runs each on a thread of its own.
 * Started by `child.ts` as `bun host.ts <socket> <threads>`; says `ready` over IPC, and lives no longer than the service.
 */
const [socketPath = '', threads = '1'] = process.argv.slice(2);

// A terminal signals the whole group; when to end is the service's to say.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', followService);
if (!process.connected) followService();

if (process.platform === 'linux') {
  try {
    // Between two looks of the memory watch a task may exhaust the machine; the kernel must then choose this process, not the service.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not permitted in some containers; the watch still holds.
  }
}

// What a caller's file asks for must not hold up the service, which answers everybody. Threads take this over as they are made.
const NICENESS = 5;
setPriority(NICENESS);

const IDLE_THREAD_MS = 10_000;
const COLLECT_AFTER_MS = 1_000;

// Without `atomics` an idle thread keeps its event loop, and so its garbage collector, instead of sleeping in Atomics.wait.
const pool = new Piscina<ThreadTask | undefined, ThreadReply>({
  filename: new URL('./worker.ts', import.meta.url).href,
  name: 'runTask',
  minThreads: 1,
  maxThreads: Number(threads),
  idleTimeout: IDLE_THREAD_MS,
  atomics: 'disabled',
  recordTiming: false,
  env: {},
});

let running = 0;
let collector: Timer | undefined;

Bun.serve({
  unix: socketPath,
  development: false,
  maxRequestBodySize: MAX_BODY_BYTES,
  async fetch(request, server) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/ping') return new Response();
    // The deadline is the service's; Bun's own would close the connection after 10 s.
    server.timeout(request, 0);
    clearTimeout(collector);
    running += 1;
    try {
      const body = await request.arrayBuffer();
      const task = { module: searchParams.get('module') ?? '', name: searchParams.get('name') ?? '', body };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Piscina's type for it comes out wrong with Bun's types
      const reply = await pool.run(task, { transferList: [body] as never });
      return new Response(reply.body, { status: reply.thrown ? 500 : 200 });
    } finally {
      running -= 1;
      if (running === 0) collector = setTimeout(collect, COLLECT_AFTER_MS);
    }
  },
  // A thread that ended under its task (`process.exit` in a dependency) and the like: the supervisor replaces the whole process.
  error: () => new Response(null, { status: 502 }),
});
process.send?.('ready');

// The service is gone. SIGKILL, because an orderly exit would wait for threads that may never come back.
function followService(): void {
  try {
    unlinkSync(socketPath);
    rmdirSync(dirname(socketPath));
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

function collect(): void {
  collectGarbage();
  for (const _ of pool.threads) void pool.run(undefined, { name: 'collectGarbage' }).catch(() => {});
}
