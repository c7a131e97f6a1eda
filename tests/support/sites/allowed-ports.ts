const FIRST_PORT = 20_000;
const PORTS_OF_PROCESS = 100;
const PROCESSES = 120;

// Below the ports that systems give to clients and to servers without a port of their own. Test processes
// that run at the same time have process ids close to each other, and thus other ports.
const first = FIRST_PORT + (process.pid % PROCESSES) * PORTS_OF_PROCESS;
const ports = Array.from({ length: PORTS_OF_PROCESS }, (_, index) => first + index);
let next = 0;

/** `EGRESS_ALLOW` for the ports of this process. */
export const ALLOWED_HOSTS = ports.map((port) => `127.0.0.1:${port}`).join();

/**
 * Returns a free port of the loopback address that the service of `extendedService()` may reach. A server
 * that must be refused takes port 0.
 */
export function allowedPort(): number {
  for (let attempt = 0; attempt < ports.length; attempt += 1) {
    const port = ports[next++ % ports.length] as number;
    if (isFree(port)) return port;
  }
  throw new Error('no allowed port is free');
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
