import { once } from 'node:events';
import type { Server } from 'node:net';

/**
 * Starts a server on a free port of the loopback address. It does not keep the process alive. Returns its
 * host and port.
 */
export async function listen(server: Server): Promise<string> {
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `127.0.0.1:${address.port}`;
}
