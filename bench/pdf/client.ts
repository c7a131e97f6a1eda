import { readFileSync } from 'node:fs';

/**
 * The HTTP client of the event loop measurement, in its own process:
 * `bun client.ts <url> <key> <body file> <concurrency> <rounds>`. Prints `ready`, waits for input, sends the
 * requests and prints their times in ms as JSON.
 */
const [url = '', key = '', bodyFile = '', concurrency = '1', rounds = '1'] = process.argv.slice(2);

const body = readFileSync(bodyFile);
console.log('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
const tookMs: number[] = [];
for (let round = 0; round < Number(rounds); round++)
  await Promise.all(Array.from({ length: Number(concurrency) }, () => send()));
console.log(JSON.stringify(tookMs));
process.exit(0);

async function send(): Promise<void> {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`the service returned ${response.status}`);
  tookMs.push(performance.now() - startedAt);
}
