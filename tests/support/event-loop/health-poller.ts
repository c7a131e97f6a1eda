/**
 * Polls `/healthz` of a service on one connection, in its own process so that the caller's work does not
 * distort the times. Usage: `bun health-poller.ts <url> <pid of the service>`, controlled over IPC by
 * `HealthProbe`.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Delay } from './health-probe.ts';

const POLL_MS = 10;
/** The polls after the end of the work. The service may do more work after its response. */
const POLLS_AFTER_END = 10;
const [url = '', pid = ''] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const socket = connect({ port: Number(port), host: hostname, noDelay: true });

let onResponse: (() => void) | undefined;
let received = '';
socket.on('data', (chunk) => {
  received += chunk.toString('latin1');
  if (!received.endsWith('{"status":"ok"}')) return;
  received = '';
  onResponse?.();
});
socket.on('close', () => process.exit(1));
process.on('disconnect', () => process.exit(0));

/** Reads the CPU time of the service's main thread in milliseconds (`schedstat`, Linux). */
function mainThreadMs(): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}

const NO_DELAY: Delay = { wallMs: 0, cpuMs: 0, polls: 0 };
/** The longest delays since the measurement began. */
let longest = NO_DELAY;
/** The polls until the measurement ends; negative when its end is not known. */
let pollsLeft = -1;

/** Sends one request and adds its delay to the measurement. */
async function poll(): Promise<void> {
  const response = new Promise<void>((resolve) => (onResponse = resolve));
  const startedAt = performance.now();
  const cpuMsBefore = mainThreadMs();
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await response;
  const wallMs = performance.now() - startedAt;
  // The CPU time is read a little after the clock, so it could exceed the wall time.
  const cpuMs = Math.min(wallMs, mainThreadMs() - cpuMsBefore);
  longest = {
    wallMs: Math.max(longest.wallMs, wallMs),
    cpuMs: Math.max(longest.cpuMs, cpuMs),
    polls: longest.polls + 1,
  };
}

process.on('message', (message) => {
  if (message === 'begin') longest = NO_DELAY;
  if (message === 'end') pollsLeft = POLLS_AFTER_END;
});

await new Promise((resolve) => socket.once('connect', resolve));
process.send?.('ready');
for (;;) {
  await poll();
  if (pollsLeft === 0) process.send?.(longest);
  if (pollsLeft >= 0) pollsLeft -= 1;
  await Bun.sleep(POLL_MS);
}
