import { connect } from 'node:net';

/** How long to wait for the rest of a response without a length, and for further responses. */
const QUIET_MS = 2_000;

/**
 * Sends bytes on a new connection. Returns everything that the service sends until it has sent the given
 * number of complete responses, closes the connection, or is silent for two seconds after its first byte.
 */
export async function sendRaw(url: string, bytes: string, { responses = 1 } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname);
  const hasBodies = !bytes.startsWith('HEAD ');
  let received = '';
  let quiet: Timer | undefined;
  socket.on('connect', () => socket.write(Buffer.from(bytes, 'latin1')));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    if (countResponses(received, hasBodies) >= responses) resolve();
    clearTimeout(quiet);
    // Real time: only silence ends a response without a length.
    quiet = setTimeout(resolve, QUIET_MS);
  });
  socket.on('close', () => resolve());
  socket.on('error', reject);
  try {
    await promise;
    return received;
  } finally {
    clearTimeout(quiet);
    socket.destroy();
  }
}

/** Counts the complete responses that have a Content-Length. */
function countResponses(received: string, hasBodies: boolean): number {
  let count = 0;
  for (let start = 0; ; count += 1) {
    const end = received.indexOf('\r\n\r\n', start);
    if (end < 0) return count;
    const length = /^content-length: *(\d+)/im.exec(received.slice(start, end))?.[1];
    if (length === undefined) return count;
    start = end + 4 + (hasBodies ? Number(length) : 0);
    if (start > received.length) return count;
  }
}
