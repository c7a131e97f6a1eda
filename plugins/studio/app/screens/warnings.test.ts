import { expect, test } from 'bun:test';
import type { Receipt } from '../data/types.ts';
import { warningsOf } from './warnings.ts';

const clean: Receipt = {
  class: 'plain',
  phases: {},
  resources: { entries: [], omitted: 0 },
  console: { entries: [], omitted: 0 },
  exceptions: { entries: [], omitted: 0 },
  missing_glyphs: null,
  schema_mismatches: { entries: [], omitted: 0 },
  missing_variables: { entries: [], omitted: 0 },
  overflow: null,
  proof: null,
};
const resource = {
  url: 'asset:logo.png',
  type: 'Image',
  status: null,
  mime_type: null,
  bytes: null,
  ms: null,
};

test('a receipt without problems has no warnings', () => {
  const loaded = { ...resource, outcome: 'loaded', reason: null };
  expect(warningsOf({ ...clean, resources: { entries: [loaded], omitted: 0 } })).toEqual([]);
  const accessibility = { claim: 'PDF/UA-1', findings: { entries: [], omitted: 0 } };
  expect(warningsOf({ ...clean, accessibility })).toEqual([]);
});

test('each kind of problem is counted, with the entries that the receipt omits', () => {
  const failed = { ...resource, outcome: 'failed', reason: 'no such asset' };
  expect(
    warningsOf({
      ...clean,
      resources: { entries: [failed], omitted: 0 },
      exceptions: { entries: [{ message: 'x is not defined', line: 1, column: 1 }], omitted: 2 },
      missing_glyphs: { count: 4, characters: ['ꙮ'] },
      schema_mismatches: { entries: [{ path: 'logo', expected: 'string', found: 'missing' }], omitted: 0 },
      missing_variables: {
        entries: ['name', 'translations.de.thanks'].map((path) => ({ path, count: 1 })),
        omitted: 2,
      },
      accessibility: { claim: null, findings: { entries: [], omitted: 0 } },
    }),
  ).toEqual([
    '1 resource could not be loaded',
    '3 script errors',
    '4 characters without a glyph',
    '1 value missing or of another type than in the schema',
    '3 values missing from the data',
    '1 message missing, incomplete or in another language',
    'The document does not conform to PDF/UA-1',
  ]);
});
