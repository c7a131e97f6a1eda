import { expect, test } from 'bun:test';
import { openSync } from 'node:fs';

const module = JSON.stringify(`${import.meta.dir}/log.ts`);

test.skipIf(process.platform !== 'linux')('a log on a full disk does not end the process', async () => {
  const program = `
    const { createLog } = await import(${module});
    const log = createLog({ level: 'info' });
    for (let n = 0; n < 1_000; n += 1) log.info({ text: 'x'.repeat(2_000) }, 'a line');
    await Bun.sleep(1);
    log.info('another line');
    console.log('still runs');`;
  const child = Bun.spawn([process.execPath, '-e', program], {
    stdout: 'pipe',
    stderr: openSync('/dev/full', 'w'),
  });
  expect(await new Response(child.stdout).text()).toBe('still runs\n');
  expect(await child.exited).toBe(0);
});
