import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LABEL_LANGUAGES, languagesOf, nameOfLanguage } from './languages.ts';

const LABELS = join(import.meta.dir, '../../../../packages/templates/labels');

test('the languages of labels are those that exist', () => {
  const files = readdirSync(LABELS).filter((name) => /^[a-z]{2}\.ts$/.test(name));
  expect(LABEL_LANGUAGES.toSorted()).toEqual(files.map((name) => name.slice(0, 2)).toSorted());
});

test('a preview has the languages of the messages, and those of the labels if the template uses them', () => {
  expect(languagesOf({ html: '<p>label</p>' })).toEqual([]);
  const translations = { messages: { 'de-AT': {}, pt: {} }, defaultLocale: 'pt' };
  expect(languagesOf({ html: '', translations })).toEqual([
    ['', 'Default language'],
    ['de-AT', 'Austrian German'],
    ['pt', 'Portuguese'],
  ]);
  const withLabels = languagesOf({ html: '{{labelOf "total"}}', translations });
  expect(withLabels.map(([tag]) => tag)).toEqual(['', 'de-AT', 'pt', ...LABEL_LANGUAGES]);
});

test('languages have English names', () => {
  expect(['de', 'de-AT', 'x-own'].map(nameOfLanguage)).toEqual(['German', 'Austrian German', 'x-own']);
});
