import { expect, test } from 'bun:test';
import { storeCases } from './store-cases.ts';

const cases = ['typical', 'hard', 'long'].map((name) => ({ name, data: { name } }));

/** Stores the cases. `failures` says how often storing the case of a name fails. */
async function store(failures: Record<string, number>) {
  const attempts: string[] = [];
  const logged: unknown[] = [];
  const stored = await storeCases(
    { cases, templateId: 'tmpl_1' },
    {
      account: { id: 'acct_1' },
      reserveMemory: () => {},
      tests: {
        async put(_request, templateId, { name, dataJson }) {
          attempts.push(name);
          if (attempts.filter((each) => each === name).length <= (failures[name] ?? 0))
            throw new Error('the disk is full');
          expect([templateId, JSON.parse(dataJson)]).toEqual(['tmpl_1', { name }]);
          return undefined as never;
        },
      },
      log: { warn: (fields: object) => void logged.push(fields) },
    },
  );
  return { attempts, logged, stored };
}

test('the cases of a starter are stored in reverse, so that lists begin with the first one', async () => {
  expect(await store({})).toEqual({
    attempts: ['long', 'hard', 'typical'],
    logged: [],
    stored: ['typical', 'hard', 'long'],
  });
});

test('a case whose storage fails once is stored by the second attempt', async () => {
  const { attempts, logged, stored } = await store({ hard: 1 });
  expect(attempts).toEqual(['long', 'hard', 'hard', 'typical']);
  expect([stored, logged]).toEqual([['typical', 'hard', 'long'], []]);
});

test('a case that cannot be stored is logged and left out, and the others are stored', async () => {
  const { logged, stored } = await store({ hard: 9 });
  expect(stored).toEqual(['typical', 'long']);
  expect(logged).toEqual([{ err: expect.any(Error), template: 'tmpl_1', case: 'hard' }]);
});
