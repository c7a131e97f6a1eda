import { readEnv } from '../../config.ts';
import { UsageError } from '../failures.ts';
import { printNotice } from '../progress.ts';
import { createClient, type Client } from './client.ts';
import type { OwnServiceOptions } from './own-service.ts';

/** The values of `--server` and `--key`, or of `PLATEN_URL` and `PLATEN_API_KEY`. */
export interface ServiceOptions {
  server?: string | undefined;
  key?: string | undefined;
}

/**
 * Returns a client of the service that the options name. Without `server`, starts a service in this process,
 * with a temporary database and an account without limits; disposing of the client stops it. Unless the
 * output is JSON, prints the address of a service that `PLATEN_URL` names, because the command line does not
 * show it.
 * @throws {CommandError} for a wrong address, a missing key or a service that cannot start
 */
export async function connect(
  { server, key }: ServiceOptions,
  { json = false }: { json?: boolean | undefined } = {},
): Promise<Client> {
  if (!server) return (await connectToOwn()).client;
  const client = connectTo({ server, key });
  if (!json && server === readEnv('PLATEN_URL'))
    printNotice(`using the service at ${client.url}, which PLATEN_URL names`);
  return client;
}

/**
 * Starts a service in this process, as `connect` does, and returns its client and the description of its
 * browser: the name, the version and the path. @throws {CommandError} if it cannot start
 */
export async function connectToOwn(
  options: OwnServiceOptions = {},
): Promise<{ client: Client; browser: () => Promise<string> }> {
  const { startOwnService } = await import('./own-service.ts');
  const { browser, ...service } = await startOwnService(options);
  return { client: createClient({ ...service, isOwn: true }), browser };
}

/** Returns a client of a running service. @throws {UsageError} for a wrong address and a missing key */
export function connectTo({ server, key }: ServiceOptions): Client {
  if (!server) throw new UsageError('the address of the service is missing; set --server or PLATEN_URL');
  const url = URL.parse(server);
  if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || url.username || url.search || url.hash)
    throw new UsageError(
      `"${server}" is not the address of a service; write --server or PLATEN_URL like http://localhost:3000`,
    );
  const trimmed = key?.trim();
  if (!trimmed) throw new UsageError('the API key is missing; set PLATEN_API_KEY or --key');
  if (!/^[!-~]+$/.test(trimmed))
    throw new UsageError('the API key has characters that no key has; copy it again');
  return createClient({ url: url.href.replace(/\/$/, ''), key: trimmed, isOwn: false });
}
