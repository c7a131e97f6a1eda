import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createMetrics } from '../../src/metrics.ts';
import { deployments, ids, kind } from '../support/jobs/job-deployment.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);

describe.each(deployments)('job metrics on %s', (_, open) => {
  test('count jobs, their waiting time and the outcome of every attempt', async () => {
    await using deployment = await open();
    const metrics = createMetrics();
    const jobs = await deployment.process({ metrics });
    const gate = Promise.withResolvers<void>();
    const failed = new Set<string>();
    const queue = jobs.define(
      kind(async (id) => {
        await gate.promise;
        if (id === 'r0' && !failed.has(id)) {
          failed.add(id);
          throw new Error('bad luck');
        }
      }, 2),
    );
    const shows = async (line: string) => (await metrics.render()).split('\n').includes(`platen_${line}`);
    await queue.add(ids(5));
    await queue.add(['later'], Date.now() + 600_000);
    await jobs.start();
    await until(() => shows('job_wait_seconds_count{job="test.work"} 2'));
    expect(await shows('job_depth{job="test.work"} 5')).toBe(true);
    gate.resolve();
    await until(async () => (await deployment.countJobs()) === 1);
    expect(await shows('job_depth{job="test.work"} 0')).toBe(true);
    expect(await shows('job_wait_seconds_count{job="test.work"} 6')).toBe(true);
    expect(await shows('job_runs_total{job="test.work",outcome="failed"} 1')).toBe(true);
    expect(await shows('job_runs_total{job="test.work",outcome="done"} 5')).toBe(true);
  });
});
