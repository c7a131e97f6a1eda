import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { FilesUnavailableError, StoreUnavailableError } from '../../src/plugin.ts';
import { RenderError } from '../render/render-error.ts';
import { failure, openBatchHarness, request, type BatchHarness } from '../../tests/support/batch-harness.ts';
import { createBatchService } from './service.ts';

let harness: BatchHarness;

beforeEach(async () => {
  harness = await openBatchHarness();
});

afterEach(() => harness[Symbol.asyncDispose]());

/** Takes the store away at a call of a method; writes of generations fail from then on. */
function storeGoesAway() {
  type Method = (...words: unknown[]) => Promise<unknown>;
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
      replace(target, method, async (...words) => {
        if ((calls += 1) < nth) return real?.(...words);
        replace(harness.generations, 'update', unavailable);
        // What is written may be all the same.
        if (method === 'update' && nth === 1) await real?.(...words);
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

  test('that three processes died over fails, and says so', async () => {
    await createBatchService(harness.parts).submit(request);
    const { id = '' } = (await first()) ?? {};
    // What `kill -9` leaves of an attempt: a claim, and a file.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const died = Promise.withResolvers<never>();
      const begun = Promise.withResolvers<void>();
      harness.produce = async (_, { fileId }) => {
        harness.files.add(fileId);
        begun.resolve();
        return died.promise;
      };
      void harness.background.complete(id);
      await begun.promise;
      expect(harness.files.size).toBe(1);
    }
    await harness.background.complete(id);
    expect(await first()).toMatchObject({ status: 'failed', attempts: 3, fileId: null });
    expect((await first())?.error).toBe('RENDER_FAILED: the service ended 3 times while it made this');
    expect(harness.files.size).toBe(0);
  });

  test('is made from what was sent, however long it is, and leaves nothing of it', async () => {
    // Wherever a piece ends, in one of the two it would end within a surrogate pair.
    for (const start of ['', 'x']) {
      const html = start + 'a😀'.repeat(1_200_000);
      const item = { source: { html }, output: 'url' as const };
      await createBatchService(harness.parts).submit({ ...request, items: [item], idempotencyKey: null });
      const pieces = await harness.inputs.find();
      expect(pieces.length).toBeGreaterThan(1);
      // What a database stores as UTF-8 comes back.
      expect(pieces.every((piece) => piece.request.isWellFormed())).toBe(true);
      const usual = harness.produce;
      let isSame = false;
      harness.produce = async (...words) => {
        isSame = 'html' in words[0].source && words[0].source.html === html;
        return usual(...words);
      };
      const [queued] = await harness.generations.find({ where: { status: 'queued' } });
      expect(await harness.background.complete(queued?.id ?? '')).toMatchObject({ status: 'completed' });
      expect([isSame, await harness.inputs.count()]).toEqual([true, 0]);
    }
  });

  test('that two processes make ends once, by the later one, and the other leaves no file', async () => {
    await createBatchService(harness.parts).submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = harness.produce;
    const hang = Promise.withResolvers<void>();
    harness.produce = async (...words) => {
      const made = await usual(...words);
      await hang.promise;
      harness.files.add(words[1].fileId);
      return made;
    };
    const hung = harness.background.complete(id);
    while (harness.files.size === 0) await Bun.sleep(1);
    harness.produce = usual;
    const ended = await harness.background.complete(id);
    hang.resolve();
    expect(await hung).toEqual(ended);
    expect(Array.from(harness.files)).toEqual([ended?.fileId ?? '']);
  });

  test('that was taken from one that hung is not taken back, so that nobody loses attempts', async () => {
    await createBatchService(harness.parts).submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = harness.produce;
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const files = new Set<string>();
    harness.produce = async (...words) => {
      const gate = gates[files.size];
      files.add(words[1].fileId);
      await gate?.promise;
      return usual(...words);
    };
    const calls: Promise<unknown>[] = [];
    for (const count of [1, 2]) {
      calls.push(harness.background.complete(id));
      while (files.size < count) await Bun.sleep(1);
    }
    gates[0]?.resolve();
    expect(await calls[0]).toBeNull();
    gates[1]?.resolve();
    expect(await calls[1]).toMatchObject({ status: 'completed', attempts: 2 });
    expect([files.size, harness.files.size]).toEqual([2, 1]);
  });

  test('that cannot be printed is no error of the service in its log, which has the cause', async () => {
    await createBatchService(harness.parts).submit(request);
    const { id = '' } = (await first()) ?? {};
    const [errors, warnings] = [spyOn(harness.log, 'error'), spyOn(harness.log, 'warn')];
    const cause = new Error('the page is gone');
    harness.produce = () =>
      Promise.reject(new RenderError('RENDER_FAILED', 'it could not be printed', cause));
    expect(await harness.background.complete(id)).toMatchObject({ status: 'failed' });
    expect(errors).not.toHaveBeenCalled();
    expect(warnings.mock.calls.map(([fields]) => fields)).toContainEqual({ err: cause, generation: id });
  });

  test('is tried again when the file store is away or full, or the service stops, and that is no attempt', async () => {
    await createBatchService(harness.parts).submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = harness.produce;
    const full = new RenderError('STORAGE_ERROR', 'the PDF could not be stored', new Error('ENOSPC'));
    const away = new FilesUnavailableError('unreachable', 'away');
    for (const error of [away, full, away, full, away]) {
      harness.produce = () => Promise.reject(error);
      expect(await failure(harness.background.complete(id))).toContain(error.message);
    }
    harness.stopping = true;
    harness.produce = () => Promise.reject(new Error('the browser is stopped'));
    expect(await failure(harness.background.complete(id))).toContain('stopped');
    expect(await first()).toMatchObject({ status: 'queued', attempts: 0 });
    harness.stopping = false;
    harness.produce = usual;
    expect(await harness.background.complete(id)).toMatchObject({ status: 'completed', attempts: 1 });
  });

  test.each([
    ['what it is made from is read', () => harness.inputs, 'get', 1],
    ['its end is written', () => harness.generations, 'update', 2],
    ['its claim is written', () => harness.generations, 'update', 1],
  ])(
    'is no attempt when the store is away while %s, also for some time after',
    async (_, at, method, nth) => {
      await createBatchService(harness.parts).submit(request);
      const { id = '' } = (await first()) ?? {};
      const away = storeGoesAway();
      for (let round = 0; round < 5; round += 1) {
        away.at(at(), method, nth);
        expect(await failure(harness.background.complete(id))).toBe('away');
        away.comesBack();
      }
      expect(await harness.background.complete(id)).toMatchObject({ status: 'completed', attempts: 1 });
    },
  );
});
