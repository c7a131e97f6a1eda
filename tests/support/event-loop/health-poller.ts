/**
 * Polls `/healthz` of a service on one connection, in its own process so that the caller's work does not distort the times.
 * Usage: `bun health-poller.ts <url> <pid of the service>`, controlled over IPC by `HealthProbe`.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Delay } from './health-probe.ts';

const POLL_MS = 10;
const [url = '', pid = ''] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const socket = connect({ port: Number(port), host: hostname, noDelay: true });

let answered: (() => void) | undefined;
let received = '';
socket.on('data', (chunk) => {
  received += chunk.toString('latin1');
  if (!received.endsWith('{"status":"ok"}')) return;
  received = '';
  answered?.();
});
socket.on('close', () => process.exit(1));
process.on('disconnect', () => process.exit(0));

/** Reads the CPU time of the service's main thread in milliseconds (`schedstat`, Linux). */
function mainThreadMs(): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}

let worst: Delay = { wallMs: 0, cpuMs: 0, polls: 0 };

async function poll(): Promise<void> {
  const reply = new Promise<void>((resolve) => (answered = resolve));
  const before = { at: performance.now(), cpuMs: mainThreadMs() };
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await reply;
  const wallMs = performance.now() - before.at;
  const cpuMs = Math.min(wallMs, mainThreadMs() - before.cpuMs);
  worst = {
    wallMs: Math.max(worst.wallMs, wallMs),
    cpuMs: Math.max(worst.cpuMs, cpuMs),
    polls: worst.polls + 1,
  };
}

process.on('message', (message) => {
  if (message === 'begin') worst = { wallMs: 0, cpuMs: 0, polls: 0 };
  // A poll that started before the end counts too.
  else ends.push(() => process.send?.(worst));
});

const ends: (() => void)[] = [];
await new Promise((resolve) => socket.once('connect', resolve));
process.send?.('ready');
for (;;) {
  await poll();
  for (const end of ends.splice(0)) end();
  await Bun.sleep(POLL_MS);
}
