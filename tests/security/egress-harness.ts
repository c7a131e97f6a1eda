import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Dial } from '../../src/egress/dial.ts';
import {
  createEgressGuard,
  type EgressDecision,
  type EgressGuard,
  type EgressGuardOptions,
} from '../../src/egress/guard.ts';

// These tests do not connect to other machines: `dial` records the address and connects only to loopback, if
// at all.

/** Cleanup functions of the running test. */
export const closers: (() => unknown)[] = [];

/** Runs the cleanup functions, last first. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

/** Starts a loopback server that counts connections and records the bytes it receives. */
export async function startServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const state = { connections: 0, received: '' };
  const server: Server = createServer((socket) => {
    state.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (state.received.length < 100_000) state.received += chunk.toString('latin1');
    });
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: bound.port, state, sockets };
}

/** Starts a server that responds to the first bytes of every connection with a fixed text. */
export function startOrigin(answer: string) {
  return startServer((socket) => void socket.once('data', () => socket.end(answer)));
}

/** A complete response with the body `hello`. */
export const okResponse = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

/** A guard, and the lookups, connections and decisions it made. */
export interface Harness {
  guard: EgressGuard;
  dialed: string[];
  lookups: string[];
  decisions: EgressDecision[];
}

/** Starts a guard whose resolver returns `answers` in turn and whose connections all lead to `originPort`. */
export async function startGuard(
  options: Partial<EgressGuardOptions> & { answers?: string[][]; originPort?: number; dial?: Dial } = {},
): Promise<Harness> {
  const { answers = [['93.184.216.34']], originPort, dial, ...rest } = options;
  const dialed: string[] = [];
  const lookups: string[] = [];
  const decisions: EgressDecision[] = [];
  const guard = await createEgressGuard(
    {
      allow: [],
      resolve: async (host) => {
        lookups.push(host);
        return answers[Math.min(lookups.length, answers.length) - 1] ?? [];
      },
      onDecision: (decision) => void decisions.push(decision),
      ...rest,
    },
    (target) => {
      dialed.push(`${target.address}:${target.port}`);
      if (dial) return dial(target);
      return connect({ host: '127.0.0.1', port: originPort ?? 1, allowHalfOpen: true });
    },
  );
  closers.push(() => guard.close());
  return { guard, dialed, lookups, decisions };
}

/** Opens a connection to the guard. */
export function openSocket(guard: EgressGuard): Socket {
  const socket = connect(Number(new URL(guard.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  closers.push(() => socket.destroy());
  return socket;
}

/** Sends bytes to the guard and returns everything it sends until it closes the connection. */
export async function sendBytes(guard: EgressGuard, bytes: string | Buffer): Promise<string> {
  const socket = openSocket(guard);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/** Returns the head of a CONNECT request. */
export const connectHead = (target: string) => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;
/** Returns the head of a GET request in absolute form. */
export const getHead = (url: string, host = 'x') => `GET ${url} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
