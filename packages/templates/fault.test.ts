import { describe, expect, test } from 'bun:test';
import { compileTemplate, parseTemplate } from './templates.ts';

describe('errors have a line and a column', () => {
  test.each([
    ['a\n{{#if x}}b\n', 2, 4, 'the block "if" is not closed'],
    ['{{#each a}}\n {{#if b}}{{/if}}', 1, 4, 'the block "each" is not closed'],
    ['{{#each a}}\n {{#if b}}\n', 2, 5, 'the block "if" is not closed'],
    ['x\n {{#if x}}a{{/each}}', 2, 5, 'the block "if" is closed by "each"'],
    ['{{/if}}', 1, 1, '"{{/if}}" closes a block that is not open'],
    ['x{{else}}y', 1, 2, '"{{else}}" is outside a block'],
    ['{{#if x}}{{else}}{{else}}{{/if}}', 1, 18, '"{{else}}" follows another one in the same block'],
    ['a {{foo', 1, 5, 'the tag is not closed by "}}"'],
    ['{{}}', 1, 3, 'found "}}" where a name or a value is expected'],
    ['a\r\nb {{)}}', 2, 5, 'found ")" where a name or a value is expected'],
    ['é😀{{)}}', 1, 6, 'found ")" where a name or a value is expected'],
    [
      '{{!-- c\nd --}}\n {{#if x}} {{foo bar=}}',
      3,
      22,
      'found "}}" where "(", a name or a value is expected',
    ],
    ['{{foo <b>}}', 1, 7, 'found "<b>" where "}}", "(", a name or a value is expected'],
    ['{{{x}}', 1, 5, 'found "}}" where "}}}", "(", a name or a value is expected'],
    ['{{foo "x}}', 1, 7, 'the string is not closed'],
    ['{{foo bar baz=1 qux}}', 1, 20, 'found "}}" where "=" is expected'],
    ['{{!-- open', 1, 1, 'the comment is not closed by "--}}"'],
    ['a\0b{{x}}', 1, 2, 'found "\\u0000", which is not allowed in a template'],
    ['{{foo/../bar}}', 1, 3, 'invalid path: foo/..'],
    ['a\n {{formatdat total "EUR"}}', 2, 2, 'unknown helper "formatdat"; did you mean "formatDate"?'],
    ['{{#if (equ a b)}}x{{/if}}', 1, 7, 'unknown helper "equ"; did you mean "eq"?'],
    [
      '{{log "x"}}',
      1,
      1,
      'unknown helper "log"; the helpers are each, if, unless, with, lookup, formatDate, formatNumber, formatCurrency, currencyDecimals, eq, ne, lt, lte, gt, gte, and, or, not, default, inc, dec, add, subtract, multiply, divide, round, min, max, sum, taxesByRate, join, length, first, last, range, uppercase, lowercase, capitalize, truncate, padStart, concat, nl2br, cssString, formatIban, formatCountry, asset, labelOf, labelLanguage, labelDirection, cssPageText, qrcode, barcode, epcQr, swissQrBill',
    ],
    ['a {{t "total"}}', 1, 3, 'the helper "t" needs "translations", which this template does not have'],
    ['{{#if}}x{{/if}}', 1, 1, 'the helper "if" takes 1 argument, not 0'],
    ['{{#with a b}}x{{/with}}', 1, 1, 'the helper "with" takes 1 argument, not 2'],
    ['{{lookup a}}', 1, 1, 'the helper "lookup" takes 2 arguments, not 1'],
    ['{{each a}}', 1, 1, 'the helper "each" must open a block: {{#each …}}'],
    ['{{* logger}}', 1, 1, 'decorators other than {{#*inline "name"}} are not supported'],
  ])('the error in %j is at line %d, column %d', (source, line, column, sentence) => {
    const failure = {
      ok: false,
      code: 'TEMPLATE_ERROR',
      message: `line ${line}, column ${column}: ${sentence}`,
      line,
      column,
    } as const;
    expect(parseTemplate({ source })).toEqual(failure);
    expect(compileTemplate({ source, data: {} })).toEqual(failure);
  });

  test('limits nesting and the length of quotes', () => {
    const nested = `${'{{#if a}}'.repeat(301)}${'{{/if}}'.repeat(301)}`;
    const chain = `{{#if a}}${'{{else if a}}'.repeat(300)}{{/if}}`;
    const message = 'blocks or expressions are nested more than 300 levels deep';
    expect(parseTemplate({ source: nested })).toMatchObject({ message: `line 1, column 2701: ${message}` });
    expect(parseTemplate({ source: chain })).toMatchObject({
      message: `line 1, column ${10 + 299 * 13}: ${message}`,
    });
    const long = parseTemplate({ source: `{{${'y'.repeat(200)} 1}}` });
    expect(long.ok ? '' : long.message).toStartWith(`line 1, column 1: unknown helper "${'y'.repeat(79)}…";`);
  });

  test.each([
    ['a field', (path: string) => `\n {{${path}}}`, 4],
    ['a data variable', (path: string) => `\n {{@${path}}}`, 4],
    ['quoted names', (path: string) => `\n {{${path.replaceAll('a', '[a]')}}}`, 4],
    ['an argument', (path: string) => `\n {{#if (or b ${path})}}{{/if}}`, 14],
    ['an option', (path: string) => `\n {{#*inline "p"}}{{/inline}}{{> p b=${path}}}`, 37],
    ['a partial', (path: string) => `\n {{> ${path}}}`, 6],
  ])('limits the number of parts in a path: %s', (_, sourceOf, column) => {
    const path = (parts: number) => Array(parts).fill('a').join('.');
    expect(parseTemplate({ source: sourceOf(path(100)) })).toMatchObject({ ok: true });
    // Bun's JavaScript parser takes minutes for five thousand parts.
    for (const parts of [101, 5_000]) {
      const { ok, ...fault } = parseTemplate({ source: sourceOf(path(parts)) });
      expect(ok).toBe(false);
      expect(fault).toMatchObject({ line: 2, column });
      expect(JSON.stringify(fault)).toContain('has more than 100 parts');
    }
  });

  test('deep expressions with long paths compile', () => {
    const path = Array(100).fill('a').join('.');
    const source = `{{#if ${`(or ${path} `.repeat(299)}${path}${')'.repeat(299)}}}x{{/if}}`;
    expect(compileTemplate({ source, data: { a: { a: 1 } } })).toEqual({ ok: true, value: { html: '' } });
  });

  test('accepts valid templates', () => {
    expect(parseTemplate({ source: '<p>{{#each items}}{{name}}{{/each}}</p>' })).toEqual({
      ok: true,
      value: {},
    });
    expect(parseTemplate({ source: '' })).toEqual({ ok: true, value: {} });
  });

  test('names a missing partial and a failing part', () => {
    expect(compileTemplate({ source: '\n {{> row}}', data: {} })).toMatchObject({
      message: 'line 2, column 2: the partial "row" does not exist',
      line: 2,
      column: 2,
    });
    const parts = { header: '{{pageNumber}}', footer: '{{#if}}' };
    expect(compileTemplate({ source: 'x', data: {}, parts })).toMatchObject({
      part: 'footer',
      message: 'line 1, column 4: the block "if" is not closed',
    });
  });
});
