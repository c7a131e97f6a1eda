import { connect, type Socket } from 'node:net';

/** Opens a connection to an address in numbers. The socket is returned while it still connects. */
export type Dial = (target: { address: string; port: number }) => Socket;

/** Why no connection came about. `aborted`: the client left first. */
export type DialFailure = 'timeout' | 'unreachable' | 'aborted';

/** Dials over TCP. Half-open, because the exchange decides itself what an end on one side means for the other. */
export const dialTcp: Dial = ({ address, port }) => connect({ host: address, port, allowHalfOpen: true });

/**
 * Connects to the first address that answers, in order. Each address that remains gets an equal part of the remaining time,
 * so that one which swallows packets does not use up all of it.
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
    const result = await settle(dial({ address, port }), { timeoutMs, signal });
    if (typeof result !== 'string') return result;
    failure = result;
    if (failure === 'aborted') break;
  }
  return failure;
}

function settle(
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
  // Stays for the life of the socket: a late error without a listener would end the process.
  socket.on('error', () => fail('unreachable'));
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}
