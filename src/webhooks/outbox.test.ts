import { expect, test } from 'bun:test';
import { createLog } from '../log.ts';
import type { Collection } from '../store/store.ts';
import type { ReportedDocument, StoredEvent } from './event.ts';
import type { FanOut } from './fan-out.ts';
import { Outboxes } from './outbox.ts';

test('a list waits for the events of its own account only', async () => {
  const slow = Promise.withResolvers<void>();
  const stored: string[] = [];
  const events = {
    insert: async ({ accountId }: StoredEvent) => void stored.push(accountId),
  } as unknown as Collection<StoredEvent>;
  const outboxes = new Outboxes({
    events,
    reservedEvents: events,
    fanOut: { store: async () => [], completeWith() {}, delete: async () => {} } as unknown as FanOut,
    enqueue: async () => {},
    jobs: { sweep() {} },
    checkType() {},
    log: createLog({ level: 'silent' }),
  });
  const outbox = outboxes.open<ReportedDocument>({
    name: 'records',
    collection: { update: async () => ({}) } as unknown as Collection<ReportedDocument>,
    async toEvent({ id, accountId }) {
      if (accountId === 'slow') await slow.promise;
      return { id, accountId, type: 'generation.completed', data: {}, timestamp: 0 };
    },
  });
  for (const accountId of ['slow', 'quick']) outbox.report({ id: accountId, accountId, unreportedAt: 1 });

  await outboxes.settled('quick');
  expect(stored).toEqual(['quick']);
  const others = [outboxes.settled('slow'), outboxes.settled()].map((waiting) =>
    waiting.then(() => stored.length),
  );
  slow.resolve();
  expect(await Promise.all(others)).toEqual([2, 2]);
});
