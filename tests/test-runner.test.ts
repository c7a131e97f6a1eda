import { expect, test } from 'bun:test';
import { join } from 'node:path';

const RUNNER = join(import.meta.dir, '..', 'scripts', 'test.mjs');

test('the runner of the tests fails when an argument is in the name of no file', async () => {
  const child = Bun.spawn(['node', RUNNER, 'tests/architecture', 'tests/no-such-file'], {
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const stderr = await new Response(child.stderr).text();
  expect([await child.exited, stderr]).toEqual([
    1,
    'No test file of the suite default has "tests/no-such-file" in its name.\n',
  ]);
});
