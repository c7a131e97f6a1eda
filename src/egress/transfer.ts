import type { Socket } from 'node:net';

/**
 * How long a closing connection keeps reading, so that the peer receives the last bytes instead of a reset.
 */
const lingerMs = 2_000;

/** The idle limit while closing, in case the peer has stopped reading. */
const flushTimeoutMs = 10_000;

/** How many bytes are read from a client before the upstream connection is established. */
const maxEarlyBytes = 65_536;

/**
 * Reads a head and pauses the socket; the bytes after the head stay in the socket.
 * Returns `ended` when the peer closes first and `too-large` when the head exceeds `maxBytes`.
 */
export function readHead(
  socket: Socket,
  { maxBytes, endOfHead }: { maxBytes: number; endOfHead: (bytes: Buffer) => number },
): Promise<Buffer | 'ended' | 'too-large'> {
  const { promise, resolve } = Promise.withResolvers<Buffer | 'ended' | 'too-large'>();
  let bytes: Buffer = Buffer.alloc(0);
  // Synchronous because a stream may emit its next chunk before a promise callback runs.
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
 * Keeps reading from a client and buffers the bytes up to a limit, because a socket that is not read does not
 * report a disconnect. The returned function pauses the socket and puts the bytes back.
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
 * Copies bytes from one socket to the other with backpressure: `from` is not read while `to` has unsent
 * bytes. Bytes beyond `limit` are dropped.
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

/**
 * Sends pending bytes and `last`, then closes. Discards what the peer sends in the meantime, for a short
 * time.
 */
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
