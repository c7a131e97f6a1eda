import type { Socket } from 'node:net';
import { untilAborted, withTimeout } from '@platen/runtime';
import { checkDestination, type AllowList, type EgressDecision, type Resolve } from './destination.ts';
import { dialFirst, type Dial } from './dial.ts';
import type { Destination } from './request-head.ts';
import type { EgressFailure } from './response-head.ts';
import { holdWhileConnecting } from './transfer.ts';

/** The settings and callbacks for upstream connections. */
export interface UpstreamContext {
  allow: AllowList;
  resolve: Resolve;
  dial: Dial;
  /** The limit for resolving and connecting together. */
  connectTimeoutMs: number;
  /** Called once for each request that names a destination. */
  decided(decision: EgressDecision): void;
  /** Called when a connection succeeds or fails, the latter with the reason in the decision. */
  attempted(decision: EgressDecision): void;
  /** Counts a socket and makes the guard's `close()` destroy it. */
  track(socket: Socket): void;
}

/** The status codes of the guard's own answers. */
export const reasonPhrases = {
  400: 'Bad Request',
  403: 'Forbidden',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
} as const;

/** A response from the guard itself. */
export interface GuardResponse {
  status: keyof typeof reasonPhrases;
  failure: EgressFailure;
  reason: string;
}

/**
 * Checks the destination and connects to it. Returns the connection, the answer for a failure, or `undefined`
 * when the client has disconnected.
 */
export async function connectUpstream(
  client: Socket,
  destination: Destination,
  context: UpstreamContext,
): Promise<Socket | GuardResponse | undefined> {
  const disconnected = new AbortController();
  const onEnd = () => disconnected.abort();
  client.once('end', onEnd).once('close', onEnd);
  if (client.destroyed || client.readableEnded) onEnd();
  const release = holdWhileConnecting(client);
  try {
    return await checkAndDial(destination, context, disconnected.signal);
  } finally {
    release();
    client.off('end', onEnd).off('close', onEnd);
  }
}

async function checkAndDial(
  destination: Destination,
  context: UpstreamContext,
  signal: AbortSignal,
): Promise<Socket | GuardResponse | undefined> {
  const deadline = Date.now() + context.connectTimeoutMs;
  const checked = await beforeDeadline(checkDestination(destination, context), { deadline, signal });
  if (signal.aborted) return undefined;
  if (checked === undefined) {
    const reason = 'the host was not resolved in time';
    context.attempted({ ...destination, outcome: 'unresolvable', reason });
    return { status: 504, failure: 'timeout', reason };
  }
  const { addresses, ...decision } = checked;
  context.decided(decision);
  const { outcome, reason, port } = decision;
  if (outcome === 'refused') return { status: 403, failure: outcome, reason };
  if (outcome === 'unresolvable') return { status: 502, failure: outcome, reason };
  const dialed = await dialFirst({ addresses, port, dial: context.dial, deadline, signal });
  if (dialed === 'aborted') return undefined;
  if (typeof dialed !== 'string') {
    context.attempted(decision);
    context.track(dialed);
    return dialed;
  }
  const answer = CONNECTION_FAILURES[dialed];
  context.attempted({ ...decision, failure: answer.reason });
  return answer;
}

const CONNECTION_FAILURES = {
  timeout: { status: 504, failure: 'timeout', reason: 'the host did not accept the connection in time' },
  unreachable: { status: 502, failure: 'unreachable', reason: 'the host does not accept connections' },
} as const satisfies Record<string, GuardResponse>;

/**
 * Awaits a promise that cannot be cancelled. Returns `undefined` when the deadline passes or the signal
 * aborts first.
 */
function beforeDeadline<T>(
  promise: Promise<T>,
  { deadline, signal }: { deadline: number; signal: AbortSignal },
): Promise<T | undefined> {
  const limited = { limitMs: deadline - Date.now(), onTimeout: () => undefined };
  return withTimeout(untilAborted(promise, signal), limited).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
}
