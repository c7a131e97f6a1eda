import { connect } from 'node:net';

/** Sends bytes on a new connection and returns the response: everything until the service closes it or is silent for `quietMs`. */
export async function sendRaw(url: string, bytes: string, quietMs = 150): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname);
  let received = '';
  let quiet: Timer | undefined;
  socket.on('connect', () => socket.write(Buffer.from(bytes, 'latin1')));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    clearTimeout(quiet);
    quiet = setTimeout(resolve, quietMs);
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
