import type { Socket } from 'node:net';

/** How long a closing connection still takes in what its peer sends, so that the peer reads our last bytes instead of a reset. */
const lingerMs = 2_000;

/** Longest time without a byte while closing; the peer may have stopped to read. */
const flushTimeoutMs = 10_000;

/** Most bytes that are taken from a client before its connection to the origin stands. */
const maxEarlyBytes = 65_536;

/**
 * Reads up to the end of a head and leaves the socket paused, with the bytes behind the head still to be read.
 * `ended`: the peer closed first. `too-large`: no end of the head within `maxBytes`.
 */
export function readHead(
  socket: Socket,
  { maxBytes, endOfHead }: { maxBytes: number; endOfHead: (bytes: Buffer) => number },
): Promise<Buffer | 'ended' | 'too-large'> {
  const { promise, resolve } = Promise.withResolvers<Buffer | 'ended' | 'too-large'>();
  let bytes: Buffer = Buffer.alloc(0);
  // Synchronous, because a stream may emit its next chunk before a promise callback runs.
  const finish = (result: Buffer | 'ended' | 'too-large') => {
    socket.pause();
    socket.off('data', onData).off('end', onEnd).off('close', onEnd);
    resolve(result);
  };
  const onEnd = () => finish('ended');
  const onData = (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const end = endOfHead(bytes);
    if (end > maxBytes || (end === -1 && bytes.length > maxBytes)) return finish('too-large');
    if (end === -1) return;
    finish(bytes.subarray(0, end));
    if (end < bytes.length) socket.unshift(bytes.subarray(end));
  };
  socket.on('data', onData).once('end', onEnd).once('close', onEnd);
  socket.resume();
  if (socket.destroyed || socket.readableEnded) onEnd();
  return promise;
}

/**
 * Keeps reading a client, since a socket that is not read does not tell that its peer has gone, and holds what it sends, up to a bound.
 * The returned function ends this and gives the bytes back to the socket, paused.
 */
export function holdWhileConnecting(client: Socket): () => void {
  const chunks: Buffer[] = [];
  let heldBytes = 0;
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes >= maxEarlyBytes) client.pause();
  };
  client.on('data', onData).resume();
  return () => {
    client.off('data', onData).pause();
    if (heldBytes > 0 && !client.destroyed && !client.readableEnded) client.unshift(Buffer.concat(chunks));
  };
}

/**
 * Passes bytes on, at the pace of the slower side: while `to` has bytes unsent, `from` is not read. Bytes beyond `limit` are dropped.
 */
export function pump(from: Socket, to: Socket, limit = Number.POSITIVE_INFINITY): void {
  let left = limit;
  from.on('data', (chunk: Buffer) => {
    const part = chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= part.length;
    if (part.length === 0 || to.destroyed || to.writableEnded || to.write(part)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
  from.resume();
}

/** Sends what is still to be sent (and `last`), then closes; what the peer goes on sending is thrown away for a short while. */
export function closeGently(socket: Socket, last?: Buffer): void {
  if (socket.destroyed || socket.writableEnded) return;
  socket.removeAllListeners('data').resume();
  socket.setTimeout(flushTimeoutMs, () => socket.destroy());
  if (last !== undefined) socket.write(last);
  if (socket.readableEnded) return socket.destroySoon();
  let linger: Timer | undefined;
  socket.once('end', () => socket.destroySoon());
  socket.once('close', () => clearTimeout(linger));
  socket.end(() => {
    linger = setTimeout(() => socket.destroy(), lingerMs);
  });
}
