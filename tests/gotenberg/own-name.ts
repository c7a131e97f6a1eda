import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';

/** Returns a name of this machine that a service on it can look up. */
export async function ownName(): Promise<string> {
  const found = await lookup(hostname()).catch(() => undefined);
  return found ? hostname() : 'localhost';
}
