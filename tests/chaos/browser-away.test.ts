import { expect, test } from 'bun:test';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../../plugins/render/browser/find-chromium.mjs';
import { completed, onePagers, statusesOf, submit } from '../support/batch/batches.ts';
import { TestService } from '../support/service/service.ts';

test('while the browser cannot start, for example during an upgrade, batch items wait and none fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const chromiumPath = join(folder, 'chromium');
  await writeFile(chromiumPath, `#!/bin/sh\nexec '${findChromium()}' "$@"\n`, { mode: 0o755 });
  try {
    // Every document gets its own browser.
    await using service = await TestService.start({
      config: { plugins: { render: { chromiumPath, maxJobsPerBrowser: 1 } } },
    });
    await service.post('/v1/generate', { html: 'the first browser' });
    await rename(chromiumPath, `${chromiumPath}.away`);
    const refused = await service.post('/v1/generate', { html: 'x' });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused.body.error.details[0]).toMatchObject({
      code: 'RENDER_FAILED',
      message: 'the browser did not start',
    });
    const [failed] = (await service.get('/v1/generations?status=failed')).body.data;
    const { body: recorded } = await service.get(`/v1/generations/${failed.id}`);
    expect(recorded.error).toBe('RENDER_FAILED: the browser did not start');
    const accepted = await submit(service, onePagers(3));
    const triesFailed = /^platen_job_runs_total\{job="batch\.item",outcome="failed"\} ([3-9]|\d\d)/m;
    const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
    const read = async () => (await service.get(`/v1/batches/${accepted.body.batch_id}`)).body;
    while ((await read()).status !== 'completed' && !triesFailed.test(await metrics())) await Bun.sleep(20);
    expect(statusesOf(await read())).not.toContain('failed');
    await rename(`${chromiumPath}.away`, chromiumPath);
    expect(await completed(service, accepted)).toMatchObject({ completed: 3, failed: 0 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
