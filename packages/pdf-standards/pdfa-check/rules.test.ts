import { beforeAll, describe, expect, test } from 'bun:test';
import { convertible } from '../tests/conforming-sample.ts';
import { RULE_SAMPLES } from '../tests/rules/index.ts';
import { convertToPdfa } from '../pdfa-conversion/convert.ts';
import { checkPdfa } from './check-pdfa.ts';

/** `npm test` checks the samples at one level, and the suite `thorough` at the other. */
const LEVELS = process.env['TEST_SUITE'] === 'thorough' ? (['1b'] as const) : (['2b'] as const);
const documents = new Map<string, Uint8Array>();

beforeAll(async () => {
  for (const level of LEVELS)
    documents.set(level, await convertToPdfa(Buffer.from(convertible, 'latin1'), { title: 'Title', level }));
});

/** `tests/pdfa/rules.thorough.test.ts` has veraPDF confirm which samples conform. */
describe.each(Object.entries(RULE_SAMPLES))('the rules about %s', (_, samples) => {
  test.each(LEVELS)(
    'at %s, the verdict on every sample is right',
    (level) => {
      const pdf = documents.get(level) ?? new Uint8Array();
      const verdicts = samples.map(({ name, change }) => [name, checkPdfa(change(pdf), level).length === 0]);
      const expected = samples.map(({ name, conforms }) => [name, conforms === true || conforms === level]);
      expect(verdicts).toEqual(expected);
    },
    60_000,
  );
});
