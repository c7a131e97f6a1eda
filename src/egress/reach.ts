import type { Socket } from 'node:net';
import { checkDestination, type EgressDecision, type Resolve } from './destination.ts';
import { dialFirst, type Dial } from './dial.ts';
import type { Destination } from './request-head.ts';
import type { EgressFailure } from './response-head.ts';
import { holdWhileConnecting } from './transfer.ts';

/** What it takes to get from a destination to a connection. */
export interface ReachContext {
  allow: ReadonlySet<string>;
  resolve: Resolve;
  dial: Dial;
  /** Resolving and connecting together. */
  connectTimeoutMs: number;
  /** Called once for each request that named a destination. */
  decided(decision: EgressDecision): void;
  /** Takes a socket into the guard's count and makes `close()` end it. */
  track(socket: Socket): void;
}

/** The statuses with which the guard answers itself. */
export const reasonPhrases = {
  400: 'Bad Request',
  403: 'Forbidden',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
} as const;

/** An answer of the guard's own. */
export interface GuardAnswer {
  status: keyof typeof reasonPhrases;
  failure: EgressFailure;
  reason: string;
}

/** Checks and dials. Returns the connection, the answer that tells why there is none, or `undefined` when the client has left. */
export async function reach(
  client: Socket,
  destination: Destination,
  context: ReachContext,
): Promise<Socket | GuardAnswer | undefined> {
  const left = new AbortController();
  const leave = () => left.abort();
  client.once('end', leave).once('close', leave);
  if (client.destroyed || client.readableEnded) leave();
  const release = holdWhileConnecting(client);
  try {
    return await checkAndDial(destination, context, left.signal);
  } finally {
    release();
    client.off('end', leave).off('close', leave);
  }
}

async function checkAndDial(
  destination: Destination,
  context: ReachContext,
  left: AbortSignal,
): Promise<Socket | GuardAnswer | undefined> {
  const deadline = Date.now() + context.connectTimeoutMs;
  const checked = await beforeDeadline(checkDestination(destination, context), { deadline, signal: left });
  if (left.aborted) return undefined;
  if (checked === undefined)
    return { status: 504, failure: 'timeout', reason: 'the host was not resolved in time' };
  const { addresses, ...decision } = checked;
  context.decided(decision);
  const { outcome, reason, port } = decision;
  if (outcome === 'refused') return { status: 403, failure: outcome, reason };
  if (outcome === 'unresolvable') return { status: 502, failure: outcome, reason };
  const dialed = await dialFirst({ addresses, port, dial: context.dial, deadline, signal: left });
  switch (dialed) {
    case 'aborted':
      return undefined;
    case 'timeout':
      return { status: 504, failure: dialed, reason: 'the host did not accept the connection in time' };
    case 'unreachable':
      return { status: 502, failure: dialed, reason: 'the host does not accept connections' };
    default:
      context.track(dialed);
      return dialed;
  }
}

/** Waits for a promise that cannot be cancelled; `undefined` when the time or the signal is first. */
function beforeDeadline<T>(
  promise: Promise<T>,
  { deadline, signal }: { deadline: number; signal: AbortSignal },
): Promise<T | undefined> {
  const over = Promise.withResolvers<undefined>();
  const end = () => over.resolve(undefined);
  const timer = setTimeout(end, deadline - Date.now());
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return Promise.race([promise, over.promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  });
}
