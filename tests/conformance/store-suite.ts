import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  DuplicateKeyError,
  type Collection,
  type CollectionSpec,
  type Filter,
  type Store,
} from '../../src/store/store.ts';
import { rejection } from '../support/rejection.ts';
import { ids, sample, samples, type Sample } from './store-samples.ts';
import { describeWriters } from './store-suite-writers.ts';

/**
 * A driver under test: a store with empty data, a way to reopen it on the same data, and a cleanup function.
 */
export interface StoreUnderTest {
  store: Store;
  reopen: () => Promise<Store>;
  dispose: () => Promise<void>;
}

/** Registers the tests that every `Store` driver must pass. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store: ${name}`, () => {
    let opened: StoreUnderTest;
    let collectionsCreated = 0;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.dispose());

    /** Opens a collection that no other test uses. */
    function fresh(spec: Omit<CollectionSpec<Sample>, 'name'> = {}): Promise<Collection<Sample>> {
      collectionsCreated += 1;
      return opened.store.collection<Sample>({ name: `suite_samples_${collectionsCreated}`, ...spec });
    }

    describe('documents', () => {
      test('are returned as they were stored', async () => {
        const collection = await fresh({ indexes: [{ fields: { note: 'asc', rank: 'desc' } }] });
        const extra = {
          text: 'Zoë 日本語 עברית 🧾 "quotes" \\ \n \u2028 $where a.b',
          numbers: [0, -1, 1.5, 0.1, 1e-7, 1e21, 1_700_000_000_123, Number.MAX_SAFE_INTEGER],
          kinds: [true, false, null, '', [], {}],
          nested: { list: [{ deep: [[{ deeper: null }]] }], 'a key': 1, $key: 2, 'dotted.key': 3 },
        };
        const document = sample('s1', { extra, note: 'naïve ☃', rank: -2.5, done: true });
        await collection.insert(document);
        expect(await collection.get('s1')).toEqual(document);
        expect(await collection.find({ where: { note: 'naïve ☃' } })).toEqual([document]);
      });

      test('are null if missing', async () => {
        const collection = await fresh();
        expect(await collection.get('none')).toBeNull();
        expect(await collection.update({ id: 'none' }, { rank: 1 })).toBeNull();
        expect(await collection.increment({ id: 'none' }, { rank: 1 })).toBeNull();
        expect(await collection.delete({ id: 'none' })).toBe(0);
        expect(await collection.find()).toEqual([]);
      });

      test('are updated by field, including to null, lists and objects', async () => {
        const collection = await fresh();
        await collection.insert(sample('s1', { note: 'before', extra: { kept: false } }));
        const updated = await collection.update(
          { id: 's1' },
          { note: null, done: true, extra: { list: [1, 'é'] } },
        );
        expect(updated).toEqual(sample('s1', { note: null, done: true, extra: { list: [1, 'é'] } }));
        expect(await collection.get('s1')).toEqual(updated);
        expect(await collection.update({ id: 's1' }, { extra: [null, false] })).toEqual({
          ...updated!,
          extra: [null, false],
        });
        expect(await collection.update({ id: 's1' }, {})).toEqual({ ...updated!, extra: [null, false] });
      });

      test('are updated one at a time, first by order', async () => {
        const collection = await fresh({ indexes: [{ fields: { group: 'asc', rank: 'asc' } }] });
        await collection.insertMany(samples(4, (index) => ({ rank: 10 - index })));
        expect((await collection.update({ group: 'a' }, { group: 'b' }, { rank: 'asc' }))?.id).toBe('s0003');
        expect((await collection.update({ group: 'a' }, { group: 'b' }, { rank: 'desc' }))?.id).toBe('s0000');
        expect(await collection.count({ group: 'a' })).toBe(2);
      });

      test('are deleted by filter, and counted', async () => {
        const collection = await fresh();
        await collection.insertMany(samples(6, (index) => ({ rank: index })));
        expect(await collection.delete({ rank: { lt: 2 } })).toBe(2);
        expect(await collection.count()).toBe(4);
        expect(await collection.delete({})).toBe(4);
        expect(await collection.count()).toBe(0);
      });

      test('are incremented by positive and negative numbers', async () => {
        const collection = await fresh();
        await collection.insert(sample('s1', { rank: 3 }));
        expect((await collection.increment({ id: 's1' }, { rank: -5 }))?.rank).toBe(-2);
        expect((await collection.increment({ id: 's1' }, { rank: 1_700_000_000_000 }))?.rank).toBe(
          1_699_999_999_998,
        );
      });
    });

    describe('filters', () => {
      let collection: Collection<Sample>;
      beforeAll(async () => {
        collection = await fresh({
          indexes: [{ fields: { group: 'asc', rank: 'asc' } }, { fields: { note: 'asc' } }],
        });
        await collection.insertMany([
          sample('s1', { rank: 1, note: 'x' }),
          sample('s2', { rank: 2, done: true }),
          sample('s3', { rank: 3, group: 'b', note: 'y', extra: 'set' }),
          sample('s4', { rank: 4, group: 'b', done: true, note: '', extra: null }),
          sample('s5', { rank: 5, group: 'é', note: '1' }),
        ]);
      });
      const cases: [string, Filter<Sample>, string][] = [
        ['nothing', {}, 's1 s2 s3 s4 s5'],
        ['an id', { id: 's3' }, 's3'],
        ['a string', { group: 'b' }, 's3 s4'],
        ['a string outside ASCII', { group: 'é' }, 's5'],
        ['an empty string', { note: '' }, 's4'],
        ['a number', { rank: 2 }, 's2'],
        ['a digit as a string', { note: '1' }, 's5'],
        ['true', { done: true }, 's2 s4'],
        ['false', { done: false }, 's1 s3 s5'],
        ['null', { note: null }, 's2'],
        ['null, where the field may be absent', { extra: null }, 's1 s2 s4 s5'],
        ['several fields', { group: 'b', done: true }, 's4'],
        ['either of two fields', { either: [{ rank: 1 }, { note: 'y' }] }, 's1 s3'],
        ['either null or a bound', { either: [{ note: null }, { note: { gt: 'x' } }] }, 's2 s3'],
        [
          'either of conditions, and another',
          { group: 'b', either: [{ rank: 1 }, { rank: 4, done: true }] },
          's4',
        ],
        [
          'either of alternatives in alternatives',
          { either: [{ id: 's5' }, { either: [{ id: 's1' }, {}], rank: 2 }] },
          's2 s5',
        ],
        [
          'two bounds, and either',
          { rank: { gt: 1, lt: 5 }, either: [{ done: true }, { id: 's5' }] },
          's2 s4',
        ],
        ['in', { rank: { in: [1, 5, 9] } }, 's1 s5'],
        ['in ids', { id: { in: ['s2', 's9', 's1'] } }, 's1 s2'],
        ['in booleans', { done: { in: [true] } }, 's2 s4'],
        ['in with null', { note: { in: ['x', null] } }, 's1 s2'],
        ['in an empty list', { rank: { in: [] } }, ''],
        ['lt', { rank: { lt: 2 } }, 's1'],
        ['lte', { rank: { lte: 2 } }, 's1 s2'],
        ['gt', { rank: { gt: 4 } }, 's5'],
        ['gte', { rank: { gte: 4 } }, 's4 s5'],
        ['bounds on both sides', { rank: { gt: 1, lte: 3 } }, 's2 s3'],
        ['bounds that exclude each other', { rank: { gt: 3, lt: 3 } }, ''],
        ['bounds on strings, which exclude null', { note: { lt: 'y' } }, 's1 s4 s5'],
        ['bounds on ids', { id: { gt: 's3' } }, 's4 s5'],
        ['equality with a bound and in', { group: 'b', rank: { gte: 3 }, id: { in: ['s1', 's4'] } }, 's4'],
        ['contains', { note: { contains: 'x' } }, 's1'],
        ['contains several characters', { group: { contains: 'b' }, extra: { contains: 'et' } }, 's3'],
        ['contains outside ASCII', { group: { contains: 'é' } }, 's5'],
        ['contains in another case', { note: { contains: 'X' } }, ''],
        ['contains nothing, which excludes null', { note: { contains: '' } }, 's1 s3 s4 s5'],
        ['contains with the characters of regular expressions', { note: { contains: '.*' } }, ''],
        ['contains with the wildcards of SQL', { note: { contains: '%' } }, ''],
        ['contains with the name of a field', { note: { contains: '$note' } }, ''],
        ['contains in ids', { id: { contains: '4' } }, 's4'],
        ['no condition in an object', { rank: {} }, 's1 s2 s3 s4 s5'],
      ];
      test.each(cases)('%s', async (_, where, expected) => {
        expect(ids(await collection.find({ where, order: { id: 'asc' } }))).toBe(expected);
        expect(await collection.count(where)).toBe(expected === '' ? 0 : expected.split(' ').length);
      });

      test('reject undefined and unknown operators instead of matching every document', async () => {
        const untyped = [
          { group: undefined },
          { group: { $gt: '' } },
          { group: { contains: 1 } },
          { group: { contains: ['a'] } },
          { "rank') OR 1=1 --": 1 },
        ] as object[];
        for (const where of untyped) {
          expect(await rejection(collection.find({ where }))).toBeInstanceOf(TypeError);
          expect(await rejection(collection.delete(where))).toBeInstanceOf(TypeError);
        }
        expect(await collection.count()).toBe(5);
      });
    });

    test('contains treats every character literally, and finds nothing across fields', async () => {
      const collection = await fresh({ indexes: [{ fields: { group: 'asc', note: 'asc' } }] });
      const notes = [
        'a.*b',
        '100%',
        'a_b',
        '$note',
        '[x]',
        'a\\b',
        "it's",
        'line\nbreak',
        'Straße',
        '🧾 paid',
        null,
      ];
      await collection.insertMany(samples(notes.length, (index) => ({ note: notes[index] ?? null })));
      for (const [index, note] of notes.entries()) {
        if (note === null) continue;
        for (const text of [note, note.slice(1), note.slice(0, -1)]) {
          if (!text.isWellFormed()) continue;
          const found = await collection.find({ where: { group: 'a', note: { contains: text } } });
          expect([text, ids(found)]).toEqual([text, ids(samples(notes.length).slice(index, index + 1))]);
        }
      }
    });

    describe('order', () => {
      test('sorts by field and direction, then by the next field, with null first', async () => {
        const collection = await fresh({ indexes: [{ fields: { rank: 'desc', id: 'asc' } }] });
        const notes = ['b', null, 'B', 'a', 'é', null];
        await collection.insertMany(samples(6, (index) => ({ rank: index % 2, note: notes[index]! })));
        expect(ids(await collection.find({ order: { rank: 'desc', id: 'asc' } }))).toBe(
          's0001 s0003 s0005 s0000 s0002 s0004',
        );
        expect(ids(await collection.find({ order: { rank: 'asc', id: 'desc' } }))).toBe(
          's0004 s0002 s0000 s0005 s0003 s0001',
        );
        expect(ids(await collection.find({ order: { note: 'asc', id: 'asc' } }))).toBe(
          's0001 s0005 s0002 s0003 s0000 s0004',
        );
      });

      test('pages have no repeats or gaps if ties are broken by id', async () => {
        const collection = await fresh({ indexes: [{ fields: { group: 'asc', rank: 'desc', id: 'desc' } }] });
        await collection.insertMany(samples(53, (index) => ({ rank: index % 3 })));
        const seen: string[] = [];
        for (let offset = 0; offset < 60; offset += 7) {
          const query = {
            where: { group: 'a' },
            order: { rank: 'desc', id: 'desc' },
            limit: 7,
            offset,
          } as const;
          seen.push(...(await collection.find(query)).map(({ id }) => id));
        }
        expect(seen.length).toBe(53);
        expect(new Set(seen).size).toBe(53);
        expect(await collection.find({ limit: 0 })).toEqual([]);
        expect((await collection.find({ order: { id: 'asc' }, offset: 50 })).length).toBe(3);
      });
    });

    describeWriters(fresh);

    test('a collection can be opened twice, even concurrently', async () => {
      const spec = { name: 'suite_twice', indexes: [{ fields: { note: 'asc' }, unique: true }] } as const;
      const [first, second] = await Promise.all([
        opened.store.collection<Sample>(spec),
        opened.store.collection<Sample>(spec),
      ]);
      await first.insert(sample('s1', { note: 'n' }));
      expect((await second.get('s1'))?.note).toBe('n');
      expect(await rejection(second.insert(sample('s2', { note: 'n' })))).toBeInstanceOf(DuplicateKeyError);
    });

    test('data and indexes persist, and close waits for running writes', async () => {
      const again = await open();
      try {
        const spec = { name: 'suite_lasting', indexes: [{ fields: { note: 'asc' }, unique: true }] } as const;
        const before = await again.store.collection<Sample>(spec);
        const writes = Promise.all(
          samples(20, (index) => ({ note: `n${index}` })).map((document) => before.insert(document)),
        );
        const store = await again.reopen();
        await writes;
        const after = await store.collection<Sample>(spec);
        expect(await after.count()).toBe(20);
        expect(await rejection(after.insert(sample('other', { note: 'n1' })))).toBeInstanceOf(
          DuplicateKeyError,
        );
      } finally {
        await again.dispose();
      }
    });

    test('a ping succeeds', async () => {
      await opened.store.ping();
    });
  });
}
