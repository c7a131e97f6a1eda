import { expect, test } from 'bun:test';
import { invalid, Type } from '../../../src/plugin.ts';
import type { FilesService, ProveClaims, ReadClaims } from '../../files/contract.ts';
import type { OperationInput } from '../operation.ts';
import type { PlannedStep } from './order.ts';
import { startSteps } from './run-steps.ts';

type Handler = (input: OperationInput<unknown>, files: FilesService) => unknown;

function step(name: string, handler: Handler): PlannedStep {
  const kind = {
    name,
    summary: '',
    spec: {},
    takes: { least: 1, most: 1 },
    resultFields: new Set<string>(),
    schema: Type.Object({}),
    answer: undefined,
    mediaTypes: [],
    validate: () => ({}),
    bind: (files: FilesService) => (input: OperationInput<unknown>) => handler(input, files),
  };
  return { kind, fields: {} };
}

const claim = {
  profile: 'pdfa-2b',
  standard: 'PDF/A',
  level: '2b',
  checkedBy: 'test',
  rules: ['6.1.2'],
  passedAt: 1,
};

/** A step that appends a letter. The step `c` claims PDF/A. */
const append = (letter: string) =>
  step(letter, async (input, files) => {
    const pdf = (await files.load(input as never)) as { raw: Uint8Array };
    return files.deliver(input as never, {
      operation: letter,
      pdf: Buffer.from(Buffer.from(pdf.raw).toString() + letter),
      pages: 1,
      claims: letter === 'c' ? [claim] : [],
      fields: { letter },
    });
  });

function start(
  steps: readonly PlannedStep[],
  {
    signal = new AbortController().signal,
    maxMs = 10_000,
    prove = async () => [],
    readClaims = async () => ['pdfa-2b'],
  }: { signal?: AbortSignal; maxMs?: number; prove?: ProveClaims; readClaims?: ReadClaims } = {},
) {
  const reserved: number[] = [];
  const input = { signal, body: {}, reserveMemory: (bytes: number) => reserved.push(bytes) };
  const options = {
    input: input as never,
    files: {} as FilesService,
    prove,
    readClaims,
    outlivesCaller: false,
    maxMs,
  };
  return { reserved, started: startSteps(steps, options) };
}

const input = [{ raw: Buffer.from('pdf') }];

test('each step gets the result of the previous one; memory is reserved for the largest', async () => {
  const { started, reserved } = start(['a', 'b', 'c'].map(append));
  const result = await (await started).run(input);
  if (!('made' in result)) throw new Error('no PDF');
  expect(Buffer.from(result.made.pdf).toString()).toBe('pdfabc');
  expect(result.reports).toEqual(['a', 'b', 'c'].map((letter) => ({ do: letter, letter })));
  expect(reserved).toEqual([4, 1]);
});

test('a claim is checked again for the result of a later step, which must not make it false', async () => {
  const checked: string[] = [];
  const prove: ProveClaims = async (pdf, profiles) => {
    checked.push(`${Buffer.from(pdf).toString()} ${profiles.join()}`);
    if (checked.length > 1) throw invalid('pdf', 'does not conform to PDF/A 2b');
    return [{ ...claim, passedAt: 2 }];
  };
  const run = async (letters: string[]) =>
    (await start(letters.map(append), { prove }).started).run([...input]);
  expect(await run(['a', 'c'])).toMatchObject({
    made: { claims: [claim], steps: [{ do: 'a' }, { do: 'c' }] },
  });
  expect(checked).toEqual([]);
  expect(await run(['c', 'a'])).toMatchObject({ made: { claims: [{ ...claim, passedAt: 2 }] } });
  expect(checked).toEqual(['pdfca pdfa-2b']);
  const failure: unknown = await run(['c', 'a', 'b']).catch((error: unknown) => error);
  expect(failure).toHaveProperty(
    'message',
    'steps.2: the result does not conform to PDF/A 2b. Run this step before the one that makes the claim',
  );
});

test('an error about a claim names the first step whose result does not make it', async () => {
  const prove: ProveClaims = async () => {
    throw invalid('pdf', 'does not conform to PDF/UA 1');
  };
  const readClaims: ReadClaims = async (pdf) => (Buffer.from(pdf).includes('b') ? [] : ['pdfua-1']);
  const provenance = { claims: [{ ...claim, profile: 'pdfua-1', standard: 'PDF/UA' }], steps: [] };
  const failure = async (names: string[]) => {
    const { started } = start(names.map(append), { prove, readClaims });
    const error: unknown = await (await started).run([...input], provenance).catch((thrown) => thrown);
    return (error as Error).message;
  };
  expect(await failure(['a', 'b', 'd'])).toBe(
    'steps.1: the result does not conform to PDF/UA 1. Leave out this step, or generate.options.accessible',
  );
  expect(await failure(['a', 'b'])).toStartWith('steps.1: ');
  expect(await failure(['b', 'a', 'd'])).toStartWith('steps.0: ');
});

test('the time limit of all steps names the step that is running', async () => {
  const endless = step('endless', async (request, files) => {
    await files.load(request as never);
    await new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  });
  const { started } = start([append('a'), endless, append('b')], { maxMs: 50 });
  const error = await (await started).run(input).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'steps.1: the steps take longer than 0.05 s together. Use several requests',
  });
});

test('no further step begins when the caller has disconnected', async () => {
  const caller = new AbortController();
  let hasBegun = false;
  const leaving = step('leaving', async (request, files) => {
    await files.load(request as never);
    caller.abort();
    return files.deliver(request as never, { operation: 'leaving', pdf: Buffer.alloc(1), pages: 1 });
  });
  const next = step('next', async (request, files) => {
    await files.load(request as never);
    hasBegun = true;
  });
  const { started } = start([leaving, next], { signal: caller.signal });
  const error = await (await started).run(input).catch((thrown: unknown) => thrown);
  expect([(error as Error).name, hasBegun]).toEqual(['AbortError', false]);
});
