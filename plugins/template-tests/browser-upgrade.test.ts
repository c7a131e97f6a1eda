import { expect, test } from 'bun:test';
import { AppError, workContext, type Collection } from '../../src/plugin.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import { openBrowserChanges } from './browser-changes.ts';
import { watchBrowserVersion, type BrowserUpgradeParts } from './browser-upgrade.ts';
import { openCases } from './cases.ts';
import { browsers, cases as casesSpec, type BrowserState } from './collections.ts';

const OLD = '141.0.7390.122';
const NEW = '142.0.7444.59';
const ACCEPTED = { fileId: 'file_pdf_1', sizeBytes: 1, pages: 1, chromium: '141', warnings: null, at: 1 };

class Crash extends Error {}

/** Opens a store with cases of two accounts, and processes that watch the version of their browser. */
async function open() {
  const store = createSqliteStore({ path: ':memory:' });
  const collection = await store.collection(casesSpec);
  const state = await store.collection(browsers);
  const cases = openCases(collection);
  const save = async (accountId: string, templateId: string, name: string, html: string) => {
    const fields = { accountId, templateId, name, dataJson: JSON.stringify({ html }), optionsJson: null };
    await cases.save(fields, { ...ACCEPTED, version: html === 'edited' ? 1 : 2 });
  };
  await save('ann', 'tmpl_1', 'long', 'other');
  await save('ann', 'tmpl_1', 'short', 'same');
  await save('bob', 'tmpl_2', 'one', 'fault');
  await save('bob', 'tmpl_3', 'one', 'edited');
  await save('bob', 'tmpl_4', 'in the trash', 'other');
  await save('bob', 'tmpl_5', 'office', 'other');
  const unprinted = {
    accountId: 'ann',
    templateId: 'tmpl_1',
    name: 'new',
    dataJson: '{}',
    optionsJson: null,
  };
  await cases.save(unprinted, undefined);

  const logged: unknown[] = [];
  const printed: string[] = [];
  const queued: string[] = [];
  let writesLeft = Infinity;
  const write = () => {
    writesLeft -= 1;
    if (writesLeft < 0) throw new Crash();
  };
  const dying: Collection<BrowserState> = {
    ...state,
    insert: async (record) => (write(), state.insert(record)),
    update: async (where, set) => (write(), state.update(where, set)),
  };
  /** Called with the HTML of each document that a browser prints. */
  let onPrint = async (_html: string): Promise<void> => undefined;

  /** Starts a process with a version of the browser. */
  const start = (version: string | undefined) => {
    let sweep: () => Promise<void> = async () => undefined;
    let run: Parameters<BrowserUpgradeParts['jobs']['define']>[0]['run'] = async () => undefined;
    const parts = {
      browsers: dying,
      changes: openBrowserChanges(collection),
      render: {
        browserVersion: async () => version,
        async printUnrecorded({ accountId, data }) {
          const { html } = JSON.parse(data?.text ?? '') as { html: string };
          expect(workContext.getStore()).toMatchObject({ account: accountId, urgency: 'batch' });
          printed.push(`${accountId} ${html}`);
          await onPrint(html);
          return { pdf: Buffer.from(html), pages: 1, warnings: [] };
        },
      },
      templates: {
        find: async (_, id, number) =>
          id === 'tmpl_4'
            ? null
            : ({
                id,
                html: '',
                schema: {},
                version: number ?? 2,
                ...(id === 'tmpl_5' && { file: {} }),
              } as never),
      },
      accepted: { read: async () => new Uint8Array(1) } as never,
      tasks: {
        compare: async ({ pdf }) => {
          const equal = String(Buffer.from(pdf)) !== 'other';
          return { ok: true, value: { pages: [{ page: 1, equal, changedFraction: 0 }], layout: [] } };
        },
      } as BrowserUpgradeParts['tasks'],
      jobs: {
        define: (spec) =>
          ((run = (id) => spec.run(id)),
          { ensureQueued: async (ids: string[]) => void queued.push(...ids) }) as never,
        sweep: (_, work) => void (sweep = () => work(0)),
      },
      log: { info: (fields: object) => void logged.push(fields) } as never,
    } satisfies BrowserUpgradeParts;
    watchBrowserVersion(parts);
    return {
      sweep: () => sweep(),
      /** Runs the job until it has ended. Returns the number of runs. */
      finish: async () => {
        for (let runs = 1; runs < 50; runs += 1) if (!(await run('browser'))) return runs;
        throw new Error('the job does not end');
      },
      run: () => run('browser'),
    };
  };
  const results = async () =>
    Object.fromEntries(
      (await collection.find({ order: { id: 'asc' } })).map(({ id, browserChange }) => [
        id,
        browserChange?.status ?? null,
      ]),
    );
  return {
    start,
    results,
    logged,
    printed,
    queued,
    cases,
    changes: openBrowserChanges(collection),
    state: async () => state.get('browser'),
    dieAfter: (writes: number) => (writesLeft = writes),
    onPrint: (print: typeof onPrint) => (onPrint = print),
  };
}

const RESULTS: Record<string, 'different' | 'equal' | 'failed' | null> = {
  'tmpl_1:long': 'different',
  'tmpl_1:new': null,
  'tmpl_1:short': 'equal',
  'tmpl_2:one': 'failed',
  'tmpl_3:one': 'equal',
  'tmpl_4:in the trash': null,
  'tmpl_5:office': null,
};

const refuseFault = async (html: string) => {
  if (html === 'fault') throw new AppError('VALIDATION_ERROR', 'html_content: cannot be printed');
};

test('the first start only stores the version, and the same version begins nothing', async () => {
  const harness = await open();
  await harness.start(undefined).sweep();
  expect(await harness.state()).toBeNull();
  await harness.start(OLD).sweep();
  await harness.start(OLD).sweep();
  expect(await harness.state()).toMatchObject({ version: OLD, previous: null, isChecking: false });
  expect([harness.logged, harness.queued]).toEqual([[], []]);
});

test('another version checks the accepted cases once over all replicas, account by account', async () => {
  const harness = await open();
  harness.onPrint(refuseFault);
  const old = harness.start(OLD);
  await old.sweep();
  const replicas = [harness.start(NEW), harness.start(NEW)];
  await Promise.all(replicas.map(({ sweep }) => sweep()));
  // A replica that still has the old browser neither changes the version back nor checks with it.
  await old.sweep();
  expect(harness.logged).toEqual([{ from: OLD, to: NEW, templates: 5 }]);
  expect(new Set(harness.queued)).toEqual(new Set(['browser']));
  expect(await old.run()).toEqual({ runAgainAt: expect.any(Number) });
  expect(harness.printed).toEqual([]);
  expect(await replicas[1]?.finish()).toBe(7);
  expect(harness.printed).toEqual(['ann other', 'ann same', 'bob fault', 'bob edited']);
  expect(await harness.results()).toEqual(RESULTS);
  expect(harness.logged[1]).toEqual({ to: NEW, different: 1, failed: 1 });
  await replicas[0]?.sweep();
  expect(await replicas[0]?.finish()).toBe(1);
});

test('a process that dies at any write leaves a check that the next one completes', async () => {
  for (let writes = 1; writes < 30; writes += 1) {
    const harness = await open();
    harness.onPrint(refuseFault);
    await harness.start(OLD).sweep();
    harness.dieAfter(writes);
    const dying = harness.start(NEW);
    const error = await dying
      .sweep()
      .then(() => dying.finish())
      .catch((thrown: unknown) => thrown);
    harness.dieAfter(Infinity);
    const next = harness.start(NEW);
    await next.sweep();
    await next.finish();
    expect([writes, await harness.results()]).toEqual([writes, RESULTS]);
    if (!(error instanceof Crash)) return;
  }
  throw new Error('no process survived');
});

test('a case that the service cannot print fails after three attempts, but waits for a busy service', async () => {
  const harness = await open();
  await harness.start(OLD).sweep();
  const { sweep, run, finish } = harness.start(NEW);
  await sweep();
  let code: 'RATE_LIMITED' | 'INTERNAL_ERROR' = 'RATE_LIMITED';
  harness.onPrint(async (html) => {
    if (html === 'other') throw new AppError(code, 'not now');
  });
  const failures = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const message = await Promise.resolve(run()).catch((error: Error) => error.message);
      expect(message).toBe('not now');
    }
  };
  await failures(5);
  code = 'INTERNAL_ERROR';
  await failures(3);
  await finish();
  expect(await harness.results()).toMatchObject({ 'tmpl_1:long': 'failed', 'tmpl_2:one': 'equal' });
});

test('other data and other accepted pages end the result of a case, and so does an equal check', async () => {
  const harness = await open();
  harness.onPrint(refuseFault);
  await harness.start(OLD).sweep();
  const { sweep, finish } = harness.start(NEW);
  await sweep();
  await finish();
  const list = async (accountId: string, status?: 'different') =>
    (await harness.changes.list(accountId, { status, page: { limit: 10 }, hidden: [] })).records;
  const [long] = await list('ann');
  const [one] = await list('bob');
  if (!long || !one) throw new Error('a case is missing');
  expect([long.name, one.templateId, await list('bob', 'different')]).toEqual(['long', 'tmpl_2', []]);
  await harness.cases.accept(long, { accepted: { ...ACCEPTED, version: 2 }, passedVersion: 2 });
  await harness.changes.noteEqual([one]);
  expect([await list('ann'), await list('bob')]).toEqual([[], []]);
  const { accountId, templateId, name } = one;
  await harness.cases.save(
    { accountId, templateId, name, dataJson: '{"n":1}', optionsJson: null },
    undefined,
  );
  expect(await harness.results()).toMatchObject({ 'tmpl_1:long': null, 'tmpl_2:one': null });
});
