import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcessesNaming, processesNaming } from '../scripts/left-processes.mjs';

const folder = mkdtempSync(join(tmpdir(), 'platen-left-'));
const children: Bun.Subprocess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(seconds: string): Bun.Subprocess {
  const child = Bun.spawn(['sh', '-c', `sleep ${seconds}; : ${folder}`], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  children.push(child);
  return child;
}

test.skipIf(process.platform !== 'linux')(
  'the runner of the tests waits for processes that end, and keeps those that ran before',
  async () => {
    const earlier = start('60');
    const before = processesNaming([folder]);
    expect(before.map(({ pid }) => pid)).toContain(earlier.pid);
    const short = start('0.3');
    expect(await endProcessesNaming([folder], before)).toEqual([]);
    expect(await short.exited).toBe(0);
    expect(earlier.exitCode).toBeNull();
  },
);
