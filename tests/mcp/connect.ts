import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const SELF = { name: 'platen-tests', version: '1.0.0' };

/** Connects the official client in a protocol era: that of 2025, or that of 2026-07-28. */
export async function connect(
  { url, key }: { url: string; key: string },
  era: '2025' | '2026' = '2026',
): Promise<Client> {
  const client = new Client(SELF, { versionNegotiation: { mode: era === '2026' ? 'auto' : 'legacy' } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

/** Connects the client of the first SDK, which most agents have. */
export async function connectOlder({ url, key }: { url: string; key: string }): Promise<OlderClient> {
  const client = new OlderClient(SELF);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new OlderTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}
