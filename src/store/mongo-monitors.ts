import type { MongoClient } from 'mongodb';

/** The parts of the driver's monitor of a server that are used here. They are not in its types. */
interface Monitor {
  s: { state: string };
  connection: { closed: boolean } | null;
  close(): void;
  connect(): void;
}

interface Topology {
  s: { servers: Map<string, { monitor: Monitor | null }> };
}

/**
 * Restarts the checks of servers that wait on a closed connection. The driver (7.8) loses the error of a
 * connection that closes while a write waits for `drain`. The check then never ends, and every operation
 * fails, although the server is back.
 */
export function restartStuckMonitors(client: MongoClient): void {
  const { topology } = client as { topology?: Topology };
  for (const { monitor } of topology?.s.servers.values() ?? []) {
    if (monitor?.s.state !== 'monitoring' || monitor.connection?.closed !== true) continue;
    monitor.close();
    monitor.connect();
  }
}
