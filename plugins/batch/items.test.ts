import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { FilesUnavailableError, StoreUnavailableError } from '../../src/plugin.ts';
import { BrowserTimeoutError, NoPageError, StarvedPageError } from '../render/deadline.ts';
import { RenderError, toRenderError } from '../render/render-error.ts';
import { failure, openBatchHarness, request, type BatchHarness } from '../../tests/support/batch/harness.ts';
import { createBatchService } from './service.ts';

let harness: BatchHarness;

beforeEach(async () => {
  harness = await openBatchHarness();
});

afterEach(() => harness[Symbol.asyncDispose]());

/** Makes the store unavailable at the nth call of a method; updates of generations fail from then on. */
function storeGoesAway() {
  type Method = (...args: unknown[]) => Promise<unknown>;
  type Methods = Record<string, Method>;
  const unavailable = () => Promise.reject(new StoreUnavailableError('away'));
  const taken: [Methods, string, Method][] = [];
  const replace = (target: object, method: string, by: Method) => {
    const methods = target as Methods;
    taken.push([methods, method, methods[method] as Method]);
    methods[method] = by;
  };
  return {
    at(target: object, method: string, nth: number) {
      const real = (target as Methods)[method];
      let calls = 0;
      replace(target, method, async (...args) => {
        if ((calls += 1) < nth) return real?.(...args);
        replace(harness.generations, 'update', unavailable);
        // A write may take place although its call fails.
        if (method === 'update' && nth === 1) await real?.(...args);
        return unavailable();
      });
    },
    comesBack() {
      for (const [methods, method, real] of taken.splice(0).toReversed()) methods[method] = real;
    },
  };
}

describe('an item', () => {
  const first = async () => (await harness.generations.find({ where: { index: 0 } }))[0];

  test('fails with a message after three processes died while making it', async () => {
    await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
    const { id = '' } = (await first()) ?? {};
    // An attempt that ends with `kill -9` leaves a claim and a file.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const died = Promise.withResolvers<never>();
      const begun = Promise.withResolvers<void>();
      harness.makePdf = async ({ fileId }) => {
        harness.files.add(fileId);
        begun.resolve();
        return died.promise;
      };
      void harness.items.complete(id);
      await begun.promise;
      expect(harness.files.size).toBe(1);
    }
    await harness.items.complete(id);
    expect(await first()).toMatchObject({ status: 'failed', attempts: 3, fileId: null });
    expect((await first())?.error).toBe('RENDER_FAILED: the service stopped 3 times while making this PDF');
    expect(harness.files.size).toBe(0);
  });

  test('reads the record of its batch, which may be megabytes long, only if it is the last', async () => {
    await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
    const reads = spyOn(harness.parts.batches, 'get');
    const ids = [...harness.jobs];
    for (const id of ids.slice(0, -1)) await harness.completion.run(id);
    expect(reads).not.toHaveBeenCalled();
    await harness.completion.run(ids.at(-1) ?? '');
    expect(harness.sent).toHaveLength(1);
  });

  test('is made from the request as it was sent, however long, and its input is deleted', async () => {
    // With one of the two starts, the end of a piece would split a surrogate pair.
    for (const start of ['', 'x']) {
      const html = start + 'a😀'.repeat(1_200_000);
      const item = { source: { html }, output: 'url' as const };
      await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit({
        ...request,
        items: [item],
        idempotencyKey: null,
      });
      const pieces = await harness.inputs.find();
      expect(pieces.length).toBeGreaterThan(1);
      // A database that stores UTF-8 returns well-formed text unchanged.
      expect(pieces.every((piece) => piece.request.isWellFormed())).toBe(true);
      const usual = harness.makePdf;
      let isSame = false;
      harness.makePdf = async (job) => {
        isSame = 'html' in job.request.source && job.request.source.html === html;
        return usual(job);
      };
      const [queued] = await harness.generations.find({ where: { status: 'queued' } });
      expect(await harness.items.complete(queued?.id ?? '')).toMatchObject({ status: 'completed' });
      expect([isSame, await harness.inputs.count()]).toEqual([true, 0]);
    }
  });

  test('that two processes make is ended once, by the later process, and the other leaves no file', async () => {
    await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = harness.makePdf;
    const hang = Promise.withResolvers<void>();
    harness.makePdf = async (job) => {
      const made = await usual(job);
      await hang.promise;
      harness.files.add(job.fileId);
      return made;
    };
    const hung = harness.items.complete(id);
    while (harness.files.size === 0) await Bun.sleep(1);
    harness.makePdf = usual;
    const ended = await harness.items.complete(id);
    hang.resolve();
    expect(await hung).toEqual(ended);
    expect(Array.from(harness.files)).toEqual([ended?.fileId ?? '']);
  });

  test('that a hung process completes just before another process gives it up keeps its PDF', async () => {
    await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = harness.makePdf;
    const hang = Promise.withResolvers<void>();
    let hung: Promise<unknown> = Promise.resolve();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const begun = Promise.withResolvers<void>();
      harness.makePdf = async (job) => {
        begun.resolve();
        // The first two processes died.
        await (attempt < 3 ? new Promise(() => {}) : hang.promise);
        return usual(job);
      };
      hung = harness.items.complete(id);
      await begun.promise;
    }
    const { generations } = harness;
    const update = generations.update.bind(generations);
    spyOn(generations, 'update').mockImplementation(async (where, change) => {
      if (change.status === 'failed') {
        hang.resolve();
        await hung;
      }
      return update(where, change);
    });
    const ended = await harness.items.complete(id);
    expect(ended).toMatchObject({ status: 'completed', attempts: 3 });
    expect([...harness.files]).toEqual([ended?.fileId ?? '']);
  });

  test('that was claimed from a process that hung is not claimed back, so that no attempt is lost', async () => {
    await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = harness.makePdf;
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const files = new Set<string>();
    harness.makePdf = async (job) => {
      const gate = gates[files.size];
      files.add(job.fileId);
      await gate?.promise;
      return usual(job);
    };
    const calls: Promise<unknown>[] = [];
    for (const count of [1, 2]) {
      calls.push(harness.items.complete(id));
      while (files.size < count) await Bun.sleep(1);
    }
    gates[0]?.resolve();
    expect(await calls[0]).toBeNull();
    gates[1]?.resolve();
    expect(await calls[1]).toMatchObject({ status: 'completed', attempts: 2 });
    expect([files.size, harness.files.size]).toEqual([2, 1]);
  });

  test('that cannot be printed is logged as a warning with its cause, not as an error', async () => {
    await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
    const { id = '' } = (await first()) ?? {};
    const [errors, warnings] = [spyOn(harness.log, 'error'), spyOn(harness.log, 'warn')];
    const cause = new Error('the page is gone');
    harness.makePdf = () =>
      Promise.reject(new RenderError('RENDER_FAILED', 'it could not be printed', { cause }));
    expect(await harness.items.complete(id)).toMatchObject({ status: 'failed' });
    expect(errors).not.toHaveBeenCalled();
    expect(warnings.mock.calls.map(([fields]) => fields)).toContainEqual({ err: cause, generation: id });
  });

  test('is retried without counting an attempt when the file store is unavailable or full, the browser provides no page, or the service stops', async () => {
    await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = harness.makePdf;
    const full = new RenderError('STORAGE_ERROR', 'the file could not be stored', { owner: 'service' });
    const away = new FilesUnavailableError('unreachable', 'away');
    const noPage = new RenderError('RENDER_TIMEOUT', 'the browser provided no page', {
      owner: 'service',
      cause: new NoPageError('no page'),
    });
    for (const error of [away, full, noPage, away, full, noPage, noPage]) {
      harness.makePdf = () => Promise.reject(error);
      expect(await failure(harness.items.complete(id))).toContain(error.message);
    }
    harness.stopping = true;
    harness.makePdf = () => Promise.reject(new Error('the browser is stopped'));
    expect(await failure(harness.items.complete(id))).toContain('stopped');
    expect(await first()).toMatchObject({ status: 'queued', attempts: 0 });
    harness.stopping = false;
    harness.makePdf = usual;
    expect(await harness.items.complete(id)).toMatchObject({ status: 'completed', attempts: 1 });
  });

  test('is retried after failures of the service, and fails with the last one after three attempts', async () => {
    await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
    const [lucky = '', unlucky = ''] = harness.jobs;
    const usual = harness.makePdf;
    const crashed = new RenderError('RENDER_FAILED', 'the browser crashed, twice', { owner: 'service' });
    const late: readonly [string, Error][] = [
      [lucky, new StarvedPageError('the page got too little processor time')],
      [unlucky, new BrowserTimeoutError('the browser did not respond')],
    ];
    for (const [id, timeout] of late)
      for (const [index, error] of [toRenderError(timeout) as RenderError, crashed].entries()) {
        harness.makePdf = () => Promise.reject(error);
        const attempt = index + 1;
        expect(await failure(harness.completion.run(id))).toBe(
          `attempt ${attempt} of 3 failed: ${error.code}`,
        );
        expect(await harness.generations.get(id)).toMatchObject({ status: 'queued', attempts: attempt });
      }
    await harness.completion.run(unlucky);
    expect(await harness.generations.get(unlucky)).toMatchObject({
      status: 'failed',
      attempts: 3,
      error: 'RENDER_FAILED: the browser crashed, twice',
    });
    harness.makePdf = usual;
    await harness.completion.run(lucky);
    expect(await harness.generations.get(lucky)).toMatchObject({ status: 'completed', attempts: 3 });
  });

  test('that another process claims after a failure of the service is left to that process', async () => {
    await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = harness.makePdf;
    harness.makePdf = async () => {
      harness.makePdf = usual;
      expect(await harness.items.complete(id)).toMatchObject({ status: 'completed' });
      throw new RenderError('RENDER_FAILED', 'the browser crashed, twice', { owner: 'service' });
    };
    expect(await harness.items.complete(id)).toMatchObject({ status: 'completed', attempts: 2 });
    expect(harness.files.size).toBe(1);
  });

  test.each([
    ['its input is read', () => harness.inputs, 'get', 1],
    ['its end is written', () => harness.generations, 'update', 2],
    ['its claim is written', () => harness.generations, 'update', 1],
  ])(
    'does not count an attempt when the store is unavailable while %s, and some time after',
    async (_, at, method, nth) => {
      await createBatchService(harness.parts, (id) => harness.completion.finish(id)).submit(request);
      const { id = '' } = (await first()) ?? {};
      const away = storeGoesAway();
      for (let round = 0; round < 5; round += 1) {
        away.at(at(), method, nth);
        expect(await failure(harness.items.complete(id))).toBe('away');
        away.comesBack();
      }
      expect(await harness.items.complete(id)).toMatchObject({ status: 'completed', attempts: 1 });
    },
  );
});
