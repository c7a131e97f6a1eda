import { describe, expect, test } from 'bun:test';
import { DuplicateKeyError } from '../../src/store/store.ts';
import { rejection } from '../support/rejection.ts';
import { ids, sample, samples, type OpenFresh } from './store-samples.ts';

const pastMs = Date.now() - 60_000;
const futureMs = Date.now() + 3_600_000;

/** Registers the tests of concurrent writes, unique values and expired documents. */
export function describeWriters(fresh: OpenFresh): void {
  describe('concurrent writers', () => {
    test('claim each document once', async () => {
      const collection = await fresh({ indexes: [{ fields: { done: 'asc', rank: 'asc' } }] });
      await collection.insertMany(samples(200, (index) => ({ rank: index })));
      const claim = (_: unknown, worker: number) =>
        collection.update(
          { done: false, rank: { lte: 500 } },
          { done: true, note: `w${worker}` },
          { rank: 'asc' },
        );
      const claimed = (await Promise.all(Array.from({ length: 400 }, claim))).filter(
        (document) => document !== null,
      );
      expect(claimed.length).toBe(200);
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(200);
      expect(await collection.find({ order: { id: 'asc' } })).toEqual(
        claimed.sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
    });

    test('never exceed the guard of an increment', async () => {
      const collection = await fresh();
      await collection.insert(sample('quota'));
      const reserve = () => collection.increment({ id: 'quota', rank: { lte: 119 } }, { rank: 1 });
      const granted = (await Promise.all(Array.from({ length: 500 }, reserve))).filter(
        (document) => document !== null,
      );
      expect(new Set(granted.map(({ rank }) => rank)).size).toBe(120);
      expect((await collection.get('quota'))?.rank).toBe(120);
    });

    test('lose no increment', async () => {
      const collection = await fresh();
      await collection.insert(sample('counter'));
      await Promise.all(
        Array.from({ length: 1000 }, () => collection.increment({ id: 'counter' }, { rank: 1 })),
      );
      expect((await collection.get('counter'))?.rank).toBe(1000);
    });

    test('read their own writes', async () => {
      const collection = await fresh();
      await Promise.all(
        samples(50).map(async (document) => {
          await collection.insert(document);
          await collection.update({ id: document.id }, { note: 'read me' });
          expect((await collection.get(document.id))?.note).toBe('read me');
        }),
      );
    });
  });

  describe('unique values', () => {
    const unique = { indexes: [{ fields: { group: 'asc', note: 'asc' }, unique: true }] } as const;

    test('are enforced by insert, and ids are unique', async () => {
      const collection = await fresh(unique);
      await collection.insert(sample('s1', { note: 'n' }));
      expect(await rejection(collection.insert(sample('s1', { note: 'other' })))).toBeInstanceOf(
        DuplicateKeyError,
      );
      expect(await rejection(collection.insert(sample('s2', { note: 'n' })))).toBeInstanceOf(
        DuplicateKeyError,
      );
      await collection.insert(sample('s3', { note: 'n', group: 'b' }));
      expect(ids(await collection.find({ order: { id: 'asc' } }))).toBe('s1 s3');
    });

    test('stop insertMany at a conflict, and the documents before it are stored', async () => {
      const collection = await fresh(unique);
      const documents = samples(6, (index) => ({ note: index === 3 ? 'n1' : `n${index}` }));
      expect(await rejection(collection.insertMany(documents))).toBeInstanceOf(DuplicateKeyError);
      expect(ids(await collection.find({ order: { id: 'asc' } }))).toBe('s0000 s0001 s0002');
      await collection.insertMany([]);
    });

    test('are enforced by update', async () => {
      const collection = await fresh(unique);
      await collection.insertMany(samples(2, (index) => ({ note: `n${index}` })));
      expect(await rejection(collection.update({ id: 's0001' }, { note: 'n0' }))).toBeInstanceOf(
        DuplicateKeyError,
      );
      expect((await collection.get('s0001'))?.note).toBe('n1');
      expect((await collection.update({ id: 's0001' }, { note: 'n1', rank: 7 }))?.rank).toBe(7);
    });

    test('do not conflict if a field is null or absent', async () => {
      const collection = await fresh({
        indexes: [...unique.indexes, { fields: { extra: 'asc' }, unique: true }],
      });
      await collection.insertMany([sample('s1'), sample('s2'), sample('s3', { extra: null })]);
      expect(await collection.count({ note: null, extra: null })).toBe(3);
    });

    test('rejected for one writer do not affect concurrent writers', async () => {
      const collection = await fresh(unique);
      const writes = samples(30, (index) => ({ note: `n${index % 20}` })).map((document) =>
        collection.insert(document),
      );
      const outcomes = await Promise.allSettled([...writes, collection.update({ id: 'none' }, { rank: 1 })]);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.length).toBe(10);
      for (const { reason } of refused) expect(reason).toBeInstanceOf(DuplicateKeyError);
      expect(await collection.count()).toBe(20);
    });
  });

  describe('expiry', () => {
    const expiring = { indexes: [{ fields: { note: 'asc' }, unique: true }], expiry: 'expiresAt' } as const;

    test('hides documents from every operation', async () => {
      const collection = await fresh(expiring);
      await collection.insert(sample('past', { expiresAt: pastMs, note: 'p' }));
      await collection.insertMany([
        sample('future', { expiresAt: futureMs }),
        sample('null', { expiresAt: null }),
        sample('absent'),
      ]);
      expect(await collection.get('past')).toBeNull();
      expect(ids(await collection.find({ order: { id: 'asc' } }))).toBe('absent future null');
      expect(await collection.find({ where: { note: 'p' } })).toEqual([]);
      expect(await collection.count()).toBe(3);
      expect(await collection.update({ id: 'past' }, { rank: 1 })).toBeNull();
      expect(await collection.increment({ id: 'past' }, { rank: 1 })).toBeNull();
      expect(await collection.delete({ note: 'p' })).toBe(0);
      expect((await collection.update({ id: 'future' }, { expiresAt: pastMs }))?.expiresAt).toBe(pastMs);
      expect(await collection.get('future')).toBeNull();
    });

    test('frees ids and unique values', async () => {
      const collection = await fresh(expiring);
      await collection.insert(sample('s1', { expiresAt: pastMs, note: 'n' }));
      await collection.insert(sample('s2', { expiresAt: pastMs, note: 'n' }));
      await collection.insert(sample('s2', { expiresAt: pastMs, note: 'm' }));
      await collection.insertMany([
        sample('s3', { note: 'm' }),
        sample('s4', { expiresAt: pastMs, note: 'o' }),
      ]);
      expect((await collection.update({ id: 's3' }, { note: 'o' }))?.note).toBe('o');
      expect(await rejection(collection.insert(sample('s5', { note: 'o' })))).toBeInstanceOf(
        DuplicateKeyError,
      );
      expect(ids(await collection.find())).toBe('s3');
    });
  });
}
