import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createBatchService } from '../../plugins/batch/service.ts';
import { account, failure, openBatchHarness, request } from '../support/batch/harness.ts';
import { deployments } from '../support/jobs/job-deployment.ts';
import { DyingProcess } from '../support/service/dying-process.ts';

setDefaultTimeout(60_000);

describe.each(deployments)('a batch that is canceled on %s', (_, open) => {
  test('ends exactly once, whichever write the process dies at', async () => {
    let dieAt = 0;
    for (let isComplete = false; !isComplete;) {
      dieAt += 1;
      await using deployment = await open();
      const dying = new DyingProcess();
      await using harness = await openBatchHarness(dying.store(deployment.store));
      const { parts, completion, items, generations } = harness;
      const sender = { ...parts.webhooks };
      let calls = 0;
      parts.webhooks.send = (message) =>
        dying.write(async () => {
          calls += 1;
          await sender.send(message);
        });
      const service = createBatchService(parts, (id) => completion.finish(id));
      const { batch } = await service.submit(request);
      const [first, second] = batch.generations.map(({ id }) => id);
      await items.complete(first ?? '');
      // One item is being made while the batch is canceled.
      await generations.update({ id: second ?? '' }, { status: 'processing', attempts: 1, fileId: 'file_1' });

      dying.revive({ dieAt });
      const outcome = await failure(service.cancel(account.id, batch.id));
      isComplete = outcome === 'none';
      if (!isComplete) expect(outcome).toBe('the process died');
      dying.revive();
      // The client repeats its request if it got no response.
      if (!isComplete && dieAt === 1) await service.cancel(account.id, batch.id);
      await completion.sweep();
      await completion.run(second ?? '');
      await completion.sweep();

      const statuses = (await items.ofBatch(batch.id)).map(({ status }) => status);
      expect([dieAt, statuses]).toEqual([dieAt, ['completed', 'completed', 'canceled', 'canceled']]);
      expect(await parts.batches.get(batch.id)).toMatchObject({ status: 'completed' });
      expect([calls, harness.sent]).toEqual([1, [`batch.completed:${batch.id}`]]);
      expect(await harness.inputs.count()).toBe(0);
      const usage = await deployment.store.collection<{ id: string; used: number; holds: object }>({
        name: 'usage',
      });
      expect(await usage.find()).toEqual([expect.objectContaining({ used: 2, holds: {} })]);
    }
    // The record, two items and their requests.
    expect(dieAt).toBeGreaterThan(5);
  });

  test('ends exactly once when the process dies at a write after the last item', async () => {
    let dieAt = 0;
    for (let isComplete = false; !isComplete;) {
      dieAt += 1;
      await using deployment = await open();
      const dying = new DyingProcess();
      await using harness = await openBatchHarness(dying.store(deployment.store));
      const { parts, completion, items } = harness;
      const sender = { ...parts.webhooks };
      parts.webhooks.send = (message) => dying.write(() => sender.send(message));
      const service = createBatchService(parts, (id) => completion.finish(id));
      const { batch } = await service.submit(request);
      await items.complete(batch.generations[0]?.id ?? '');
      dying.revive({ dieAt });
      isComplete = (await failure(service.cancel(account.id, batch.id))) === 'none';
      dying.revive();
      if (!isComplete && dieAt === 1) await service.cancel(account.id, batch.id);
      await completion.sweep();
      await completion.sweep();
      expect(await parts.batches.get(batch.id)).toMatchObject({ status: 'completed' });
      expect(harness.sent).toEqual([`batch.completed:${batch.id}`]);
      expect(await harness.quota.usedBy(account)).toBe(1);
      expect(await harness.quota.heldFor(account)).toEqual([]);
    }
    expect(dieAt).toBeGreaterThan(8);
  });
});
