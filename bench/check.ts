/**
 * Compares the ratios of `bench:render` and `bench:bulk` with those in `bench/ratios.json`, and fails if one
 * has become more than 20 % smaller: `npm run bench:check`. Run it on a quiet machine: CI does not, because
 * its machines are noisy. `--update` stores the measured ratios instead.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLosses, type Ratios } from './check/losses.ts';

const COMMITTED = new URL('./ratios.json', import.meta.url);

/** The scripts that measure ratios, with their settings. */
const SCRIPTS = [
  ['render.ts', {}],
  ['bulk.ts', { ONLY: 'rate' }],
] as const;

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
try {
  const path = join(folder, 'ratios.json');
  const measured: Record<string, number> = {};
  for (const [script, settings] of SCRIPTS) {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, script)], {
      env: { ...process.env, ...settings, RATIOS: path },
      stdout: 'inherit',
      stderr: 'inherit',
    });
    if ((await child.exited) !== 0) throw new Error(`bench/${script} failed`);
    Object.assign(measured, await Bun.file(path).json());
  }
  if (process.argv.includes('--update')) await Bun.write(COMMITTED, `${JSON.stringify(measured, null, 2)}\n`);
  else report(measured, (await Bun.file(COMMITTED).json()) as Ratios);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function report(measured: Ratios, committed: Ratios): void {
  const { losses, missing } = findLosses(measured, committed);
  for (const name of missing) console.log(`not measured: ${name}`);
  for (const { name, was, is } of losses) console.log(`slower: ${name} is ${is}, and was ${was}`);
  if (losses.length > 0 || Object.keys(measured).length === 0) process.exitCode = 1;
  else console.log(`no ratio of ${Object.keys(measured).length} is more than 20 % smaller than before`);
}
