import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcessesNaming, processesNaming } from '../scripts/left-processes.mjs';
import { until } from './support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-left-'));
const children: Bun.Subprocess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Starts a process that names the folder and ends when its input ends. Resolves once the process is listed,
 * shortly after it starts.
 */
async function start() {
  const child = Bun.spawn(['sh', '-c', `read line; : ${folder}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  children.push(child);
  await until(() => processesNaming([folder]).some(({ pid }) => pid === child.pid));
  return child;
}

test.skipIf(process.platform !== 'linux')(
  'the runner of the tests waits for processes that end, and keeps those that ran before',
  async () => {
    const earlier = await start();
    const before = processesNaming([folder]);
    expect(before.map(({ pid }) => pid)).toEqual([earlier.pid]);
    const ending = await start();
    const left = endProcessesNaming([folder], before);
    await ending.stdin.end();
    expect(await left).toEqual([]);
    expect(await ending.exited).toBe(0);
    expect([earlier.exitCode, earlier.signalCode]).toEqual([null, null]);
  },
);
