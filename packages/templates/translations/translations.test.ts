import { describe, expect, test } from 'bun:test';
import { compileTemplate, inspectTemplate, parseTemplate } from '../templates.ts';
import { checkTranslations } from './check-translations.ts';

const messages = {
  en: { total: 'Total', items: '{count, plural, one {# item} other {# items}}', only: 'English' },
  de: { total: 'Summe', items: '{count, plural, one {# Posten} other {# Posten}}', note: 'Für {name}' },
  'de-AT': { total: 'Gesamt' },
  ar: { total: 'المجموع' },
};

function render(source: string, { data = {}, locale }: { data?: object; locale?: string } = {}) {
  const result = compileTemplate({ source, data, locale, translations: { messages, defaultLocale: 'en' } });
  return result.ok ? result.value : result;
}

const html = (...input: Parameters<typeof render>) => {
  const result = render(...input);
  return 'html' in result ? result.html : result.message;
};

describe('the helper t', () => {
  test('takes the message of the language, of its parents, and then of the default language', () => {
    const source = '{{t "total"}}|{{t "items" count=n}}|{{t "only"}}';
    const data = { n: 1 };
    expect(html(source, { data, locale: 'de-AT' })).toBe('Gesamt|1 Posten|English');
    expect(html(source, { data, locale: 'de_CH' })).toBe('Summe|1 Posten|English');
    expect(html(source, { data, locale: 'fr-FR' })).toBe('Total|1 item|English');
    expect(html(source, { data: { n: 2, locale: 'de' } })).toBe('Summe|2 Posten|English');
  });

  test('formats numbers, dates and plurals by the locale of the request', () => {
    const source = '{{t "items" count=1234567}} {{formatNumber 1234.5}} {{formatDate "2026-03-31" "long"}}';
    expect(html(source, { locale: 'de-DE' })).toBe('1.234.567 Posten 1.234,5 31. März 2026');
    expect(html(source)).toBe('1,234,567 items 1,234.5 March 31, 2026');
  });

  test('escapes messages and their values', () => {
    expect(html('{{t "note" name=who}}', { locale: 'de', data: { who: '<b>&' } })).toBe('Für &lt;b&gt;&amp;');
  });

  test('reports a language without messages, once, if one of another language is printed', () => {
    const replacedLanguage = { requested: 'it-IT', printed: 'en' };
    const source = '{{t "total"}} {{labelOf "total"}} {{formatNumber 1.5}}';
    expect(render(source, { locale: 'it_IT' })).toEqual({ html: 'Total Total 1,5', replacedLanguage });
    expect(render(source, { data: { locale: 'it-IT' } })).toMatchObject({ replacedLanguage });
    expect(render('{{formatNumber 1.5}}', { locale: 'it-IT' })).toEqual({ html: '1,5' });
    for (const locale of ['en', 'en-GB', 'de-CH', 'de-AT', 'ar-EG'])
      expect(render(source, { locale })).not.toHaveProperty('replacedLanguage');
  });

  test('reports each message of another language, if the template has messages in that of the document', () => {
    const report = (locale: string, name: string, own = locale) => ({
      path: `translations.${locale}.${name}`,
      sentence: `the template has no message ${name} in ${own}; the message in en was printed instead`,
      count: 1,
    });
    const source = '{{t "total"}} {{t "only"}} {{t "only"}} {{labelOf "only"}}';
    expect(render(source, { locale: 'de-AT' })).toEqual({
      html: 'Gesamt English English English',
      missing: [report('de-AT', 'only', 'de-AT or de')],
    });
    expect(render('{{t "items" count=1}}{{t "only"}}', { locale: 'ar' })).toEqual({
      html: '1 itemEnglish',
      missing: [report('ar', 'items'), report('ar', 'only')],
    });
    expect(render(source, { data: { locale: 'ar' } })).toMatchObject({ missing: [report('ar', 'only')] });
    expect(render('{{t "total"}}{{t "items" count=1}}', { locale: 'de-AT' })).not.toHaveProperty('missing');
    expect(render('{{t "only"}}')).not.toHaveProperty('missing');
  });

  test('reports a missing message or value, and writes the name of the message', () => {
    const result = render('{{t "none"}} {{t "items"}} {{t "note" name=who}}', { locale: 'de-AT' });
    expect(result).toMatchObject({
      html: 'none items note',
      missing: [
        {
          path: 'translations.de-AT.none',
          sentence: 'the template has no message none in de-AT or de or en',
        },
        { path: 'translations.de.items.count', sentence: 'the message items has no value for count' },
        { path: 'translations.de.note.name' },
      ],
    });
  });

  test('is a helper only where there are translations', () => {
    const without = (text: string) => compileTemplate({ source: text, data: { t: 'field' } });
    expect(without('{{t}}')).toMatchObject({ ok: true, value: { html: 'field' } });
    expect(without('{{t "total"}}')).toMatchObject({ ok: false, code: 'TEMPLATE_ERROR' });
    expect(parseTemplate({ source: '{{t "total"}}' }).ok).toBe(false);
    expect(parseTemplate({ source: '{{t "total"}}', isTranslated: true }).ok).toBe(true);
    expect(html('{{this.t}}', { data: { t: 'field' } })).toBe('field');
    const inspected = inspectTemplate({ source: '{{t "items" count=n}}', isTranslated: true });
    expect(inspected).toMatchObject({ ok: true, value: { paths: ['n'] } });
  });

  test('names the fault of a value, and of a locale', () => {
    expect(html('{{t "items" count="many"}}')).toContain('takes count= as a number, not "many"');
    expect(html('{{t "total"}}', { locale: 'no locale' })).toContain('as a language tag');
    expect(html('{{t}}')).toContain('takes 1 argument');
    expect(html('{{t "constructor"}}{{t "__proto__"}}')).toBe('constructor__proto__');
  });

  test('limits the text that a message repeats', () => {
    const translations = { messages: { en: { a: '{x}'.repeat(1_000) } }, defaultLocale: 'en' };
    const data = { x: 'x'.repeat(100_000) };
    const result = compileTemplate({ source: '{{t "a" x=x}}', data, translations });
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('the output is too large') });
  });
});

describe('the language of a document', () => {
  const source = '<html lang="{{@language}}" dir="{{@direction}}">{{@locale}}';

  test('is that of the messages', () => {
    expect(html(source, { locale: 'de-AT' })).toBe('<html lang="de-AT" dir="ltr">de-AT');
    expect(html(source, { locale: 'ar-EG' })).toBe('<html lang="ar-EG" dir="rtl">ar-EG');
    expect(html(source, { locale: 'fr-FR' })).toBe('<html lang="en" dir="ltr">fr-FR');
  });

  test('reaches templates without translations, and the field locale of the data', () => {
    const compile = (text: string, locale?: string, data: object = { locale: 'en-US' }) => {
      const result = compileTemplate({ source: text, data, locale });
      return result.ok ? result.value.html : result.message;
    };
    const labels = '{{labelOf "total_due"}} {{formatNumber 1.5}} {{formatNumber 1.5 locale=locale}}';
    expect(compile(labels)).toBe('Total due 1.5 1.5');
    expect(compile(labels, 'de')).toBe('Zu zahlen 1,5 1,5');
    expect(compile('{{formatNumber 1.5}}', undefined, { locale: 'de' })).toBe('1.5');
    expect(compile('{{locale.city}}', 'de', { locale: { city: 'Graz' } })).toBe('Graz');
  });

  test('lets messages replace built-in labels', () => {
    const translations = { messages: { de: { page_of: 'Blatt {page}' } }, defaultLocale: 'de' };
    const result = compileTemplate({
      source: '{{labelOf "page_of"}} {{labelOf "invoice"}} {{labelLanguage "de-AT"}}',
      data: {},
      translations,
    });
    expect(result).toMatchObject({ ok: true, value: { html: 'Blatt {page} Rechnung de-AT' } });
  });
});

describe('checkTranslations', () => {
  const check = (value: unknown) => {
    const result = checkTranslations({ json: JSON.stringify(value) });
    return result.ok ? JSON.parse(result.value.json) : `${result.part}: ${result.message}`;
  };
  const message = (text: unknown) => check({ de: { items: text } });

  test('returns canonical tags', () => {
    expect(check({ DE_at: { a: 'x' }, 'zh-hant': {} })).toEqual({ 'de-AT': { a: 'x' }, 'zh-Hant': {} });
  });

  test('names the path of a fault', () => {
    expect(check([])).toBe('translations: must be an object');
    expect(check({ de: 'x' })).toBe('translations.de: must be an object');
    for (const name of ['no tag', 'german', 'English', 'd', 'toki-toki_toki-toki', '12', ''])
      expect(check({ [name]: {} })).toBe(
        `translations.${name}: must be named by a language tag such as de or de-AT`,
      );
    expect(check({ 'de-at': {}, de_AT: {} })).toBe('translations.de_AT: is the same language as de-at');
    expect(check({ de: { '1a': 'x' } })).toContain('translations.de.1a: must have a name of letters');
    expect(check(JSON.parse('{"de": {"__proto__": "x"}}'))).toContain('must have a name of letters');
    expect(message(7)).toBe('translations.de.items: must be a string');
    expect(message('a <b>bold</b> word')).toBe('translations.de.items: must not contain tags such as <b>');
    expect(message('{a, select, other {</b>}}')).toContain('must not contain tags');
    const isNot = 'translations.de.items: is not an ICU message';
    expect(message('{count, plural, one {#}}')).toBe(
      `${isNot}: the plural or select that ends at character 24 has no case "other"`,
    );
    expect(message('Sum {count')).toBe(`${isNot}: the brace { at character 5 has no closing }`);
    expect(message('{n, plural, one {# item other {# items}}')).toBe(
      `${isNot}: the brace { at character 31 does not begin an argument such as {name}: a } may be missing before it`,
    );
    expect(message('a {}')).toBe(`${isNot}: empty argument at character 3`);
    expect(message('{n, sum}')).toBe(`${isNot}: invalid argument type at character 5`);
    expect(message(`{n, number, ::.${'0'.repeat(200)}}`)).toContain('in a style that does not exist');
    expect(message('{n, number, currency}')).toContain('in a style that does not exist');
    expect(message('{n, number} {n, date}')).toContain('both as a number and as a date');
    expect(message('x'.repeat(5_001))).toContain('must have at most 5000 characters');
    expect(message('\ud800')).toContain('well-formed');
    expect(
      check({ de: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`k${n}`, ''])) }),
    ).toContain('at most 1000 messages');
  });

  test('accepts plain text and all kinds of arguments', () => {
    const texts = [
      '',
      '1 < 2 & "3"',
      "It''s '{quoted}'",
      '{a, select, constructor {c} other {o}}',
      '{n, selectordinal, one {#st} other {#th}} {n, number, percent} {n, number, ::compact-short}',
      '{d, date, long} {d, time, short} {d, date, ::yyyyMMM}',
    ];
    for (const text of texts) expect(message(text)).toEqual({ de: { items: text } });
  });

  test('refuses hostile nesting at once', () => {
    const nested = '{a,select,other{'.repeat(250) + '}}'.repeat(250);
    expect(message(nested)).toContain('is nested more than 10 levels deep');
    expect(message('{'.repeat(5_000))).toContain('nested');
    expect(message('{'.repeat(1_000_000))).toContain('at most 5000 characters');
    expect(message("'{".repeat(2_500))).toMatch(/nested|ICU/);
  });
});
