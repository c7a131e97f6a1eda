import { connect, type Socket } from 'node:net';

/** Opens a connection to a numeric address. Returns the socket before it is connected. */
export type Dial = (target: { address: string; port: number }) => Socket;

/** The reason why there is no connection. `aborted` means that the client disconnected first. */
type DialFailure = 'timeout' | 'unreachable' | 'aborted';

/**
 * Connects over TCP. Half-open connections are allowed because the exchange handles the end of each direction
 * itself.
 */
export const dialTcp: Dial = ({ address, port }) => connect({ host: address, port, allowHalfOpen: true });

/**
 * Tries the addresses in order and returns the first connection. Each remaining address gets an equal share
 * of the remaining time, so that an address that drops packets does not use up all of it.
 */
export async function dialFirst(options: {
  addresses: readonly string[];
  port: number;
  dial: Dial;
  deadline: number;
  signal: AbortSignal;
}): Promise<Socket | DialFailure> {
  const { addresses, port, dial, deadline, signal } = options;
  let failure: DialFailure = 'unreachable';
  for (const [index, address] of addresses.entries()) {
    const timeoutMs = Math.max(0, deadline - Date.now()) / (addresses.length - index);
    const result = await connected(dial({ address, port }), { timeoutMs, signal });
    if (typeof result !== 'string') return result;
    failure = result;
    if (failure === 'aborted') break;
  }
  return failure;
}

function connected(
  socket: Socket,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Socket | DialFailure> {
  const { promise, resolve } = Promise.withResolvers<Socket | DialFailure>();
  const fail = (failure: DialFailure) => {
    resolve(failure);
    socket.destroy();
  };
  const timer = setTimeout(() => fail('timeout'), timeoutMs);
  const onAbort = () => fail('aborted');
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  socket.once('connect', () => resolve(socket));
  // The listener stays: a later error without a listener would end the process.
  socket.on('error', () => fail('unreachable'));
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}
