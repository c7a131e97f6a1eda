import { describe, expect, test } from 'bun:test';
import { compileTemplate } from '../templates.ts';
import { EN } from '../labels/en.ts';
import { LABELS_BY_LANGUAGE } from '../labels/labels.ts';

function render(source: string, data: object): string {
  const result = compileTemplate({ source, data });
  return result.ok ? result.value.html : result.message;
}

const placeholders = (text: string) => (text.match(/\{[a-z]+\}/g) ?? []).toSorted();

describe('the built-in labels', () => {
  test.each([...LABELS_BY_LANGUAGE])(
    'in %s are complete and have the placeholders of English',
    (_, labels) => {
      expect(Object.keys(labels)).toEqual(Object.keys(EN));
      for (const [name, text] of Object.entries(labels)) {
        expect(text.trim(), name).not.toBe('');
        expect(placeholders(text), name).toEqual(placeholders(EN[name as keyof typeof EN]));
      }
    },
  );

  test('in other scripts contain no Latin words', () => {
    const latin = /\b(?!(?:IBAN|BIC|EC|QR|kg|g|t|m|km|l|kWh)\b)[A-Za-z]+\b/;
    for (const language of ['ar', 'ja'])
      for (const [name, text] of Object.entries(LABELS_BY_LANGUAGE.get(language)!))
        expect(text.replaceAll(/\{\w+\}/g, ''), name).not.toMatch(latin);
  });
});

describe('labelOf', () => {
  test.each([
    [{ locale: 'de-DE' }, 'Zu zahlen'],
    [{ locale: 'de_AT' }, 'Zu zahlen'],
    [{ lang: 'fr' }, 'Total à payer'],
    [{ locale: 'es-MX', lang: 'de' }, 'Total a pagar'],
    [{ locale: 'it-IT' }, 'Total due'],
    [{}, 'Total due'],
    [{ locale: 'de', labels: { total_due: 'Endbetrag & mehr' } }, 'Endbetrag &amp; mehr'],
    [{ locale: 'de', labels: { total: 'Summe', total_due: '' } }, 'Zu zahlen'],
  ])('with %j gives %s', (data, expected) => {
    expect(render('{{labelOf "total_due"}}', data)).toBe(expected);
    expect(render('{{#each rows}}{{labelOf "total_due"}}{{/each}}', { ...data, rows: [1] })).toBe(expected);
  });

  test('puts values into labels, also into those of the data', () => {
    expect(render('{{labelOf "due_on" date="<1>"}}', {})).toBe('due &lt;1&gt;');
    const labels = { due_on: '{date}, {from} {date}' };
    expect(render('{{labelOf "due_on" date="{from}" from=2}}', { labels })).toBe('{from}, 2 {from}');
  });

  test('accepts own names of the data, a default, and no other names', () => {
    expect(render('{{labelOf "motto"}}', { labels: { motto: 'Gut.' } })).toBe('Gut.');
    expect(render('{{labelOf "unit_XYZ" default="XYZ"}}', {})).toBe('XYZ');
    expect(render('{{labelOf "unit_XYZ" default=none}}', {})).toBe('');
    expect(render('{{labelOf "totaldue"}}', {})).toMatch(
      /takes the name of a label .*did you mean "total_due"\?/,
    );
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(render(`{{labelOf "${name}"}}`, { labels: {} })).toMatch(/takes the name of a label/);
  });

  test('rejects labels and locales of another type', () => {
    expect(render('{{labelOf "total"}}', { labels: { total: 7 } })).toMatch(
      /takes labels\.total as text, not 7/,
    );
    expect(render('{{labelOf "total"}}', { locale: 'x'.repeat(100) })).toMatch(
      /takes the locale of the data/,
    );
    expect(render('{{labelOf "total"}}', { labels: 'x', locale: null })).toBe('Total');
  });

  test('cannot produce more than the limit', () => {
    const labels = { total: '{text}'.repeat(10_000) };
    const result = compileTemplate({
      source: '{{labelOf "total" text=long}}',
      data: { labels, long: 'x'.repeat(100_000) },
    });
    expect(result).toMatchObject({
      ok: false,
      message: expect.stringMatching(/larger than|too large|exceeds/),
    });
  });
});

test.each([
  ['de-CH', 'de-CH', 'ltr'],
  ['ar-EG', 'ar-EG', 'rtl'],
  ['he-IL', 'he-IL', 'rtl'],
  ['fa', 'en', 'rtl'],
  ['', 'en', 'ltr'],
])('the locale %j has the language %s and the direction %s', (locale, language, direction) => {
  expect(render('{{labelLanguage locale}} {{labelDirection locale}}', { locale })).toBe(
    `${language} ${direction}`,
  );
});

test('own labels are in the language of the locale', () => {
  expect(render('{{labelLanguage locale}}', { locale: 'fa-IR', labels: { total: 'סה״כ' } })).toBe('fa-IR');
});

test('cssPageText cannot be left by its text', () => {
  expect(render('{{cssPageText text}}', { text: '"}</style>{page}{pages' })).toBe(
    String.raw`"\22 \7d \3c \2f style\3e " counter(page) "\7b pages"`,
  );
  expect(render('{{cssPageText text}}', {})).toBe('""');
});

test.each([
  ['GB00WHAR00418700417236', 'GB00 WHAR 0041 8700 4172 36'],
  [' de89 3704 0044 0532 0130 00 ', 'DE89 3704 0044 0532 0130 00'],
  ['NO9386011117947', 'NO93 8601 1117 947'],
  ['418 702 3', '418 702 3'],
  ['Zu "Händen"', 'Zu &quot;Händen&quot;'],
])('formatIban of %s gives %s', (iban, expected) => {
  expect(render('{{formatIban iban}}', { iban })).toBe(expected);
});

test.each([
  ['fr', 'fr-FR', 'France'],
  ['DE', 'ja-JP', 'ドイツ'],
  ['QQ', 'en', 'QQ'],
  ['Deutschland', 'en', 'Deutschland'],
])('formatCountry of %s in %s gives %s', (code, locale, expected) => {
  expect(render('{{formatCountry code locale=locale}}', { code, locale })).toBe(expected);
});
