/**
 * Compares the time of a table of 10,000 rows with carried subtotals to that of the same table without them:
 * `bun bench/carried-rows.ts`. Times are processor times of the service and its browser, so that the ratio
 * holds on a busy machine.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriedTable } from '../tests/documents/carried-table.ts';
import { ServiceProcess } from '../tests/support/service/process.ts';
import { readTreeCpuMs } from './process-tree.ts';
import { median } from './statistics.ts';

const ROWS = 10_000;
const ROUNDS = 3;
const STYLE =
  '<!doctype html><html lang="en"><style>@page { size: A5; margin: 20mm } table { width: 100%; border-collapse: collapse } td, th { border: 1px solid #999; padding: 2px 4px }</style>';

const carried = STYLE + carriedTable({ rows: ROWS });
const plain = carried.replaceAll(/ data-[\w-]+(?:="[^"]*")?/g, '');
const dataDir = await mkdtemp(join(tmpdir(), 'platen-carried-'));
const service = new ServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'error', RENDER_TIMEOUT_MS: '170000' });
const url = await service.ready();
const key = await service.firstKey();
const measure = async (html: string): Promise<number> => {
  const before = readTreeCpuMs(service.pid);
  const response = await fetch(`${url}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ html }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
  return readTreeCpuMs(service.pid) - before;
};
const [without, withCarried]: [number[], number[]] = [[], []];
await measure(STYLE + carriedTable({ rows: 10 }));
for (let round = 0; round < ROUNDS; round += 1) {
  without.push(await measure(plain));
  withCarried.push(await measure(carried));
}
const ratio = median(withCarried) / median(without);
console.log(
  `${ROWS} rows: ${median(without)} ms without carried rows, ${median(withCarried)} ms with them, ratio ${ratio.toFixed(2)}`,
);
service.kill('SIGTERM');
await rm(dataDir, { recursive: true, force: true });
