import { describe, expect, test } from 'bun:test';
import { compileTemplate, parseTemplate } from './handlebars.ts';
import { replacePageVariables } from './page-variables.ts';

function render(source: string, data: unknown = {}): string {
  const result = compileTemplate({ source, data });
  return result.ok ? result.value.html : result.message;
}

describe('rendering', () => {
  const data = {
    name: 'Ana & <Co>',
    zero: 0,
    none: null,
    empty: [],
    list: ['a', 'b'],
    map: { x: 1, y: 2 },
    user: { city: 'Zürich', tags: [{ t: 'q' }] },
    key: 'city',
    日本: '語😀',
    'a-b c': 'spaced',
  };
  test.each([
    ['Hi {{name}}', 'Hi Ana &amp; &lt;Co&gt;'],
    ['{{{name}}}{{&name}}', 'Ana & <Co>Ana & <Co>'],
    ['[{{missing}}{{none}}{{user.nope.deeper}}]', '[]'],
    ['{{zero}}{{user.city}}{{日本}}{{[a-b c]}}', '0Zürich語😀spaced'],
    ['{{#each list}}{{@index}}{{this}}{{#if @first}}F{{/if}}{{#if @last}}L{{/if}}{{/each}}', '0aF1bL'],
    ['{{#each map}}{{@key}}={{.}};{{/each}}', 'x=1;y=2;'],
    ['{{#each empty}}x{{else}}none{{/each}}', 'none'],
    ['{{#each list as |item i|}}{{i}}{{item}}{{../zero}}{{@root.key}}{{/each}}', '0a0city1b0city'],
    ['{{#if zero}}a{{else if list}}b{{else}}c{{/if}}', 'b'],
    ['{{#if zero includeZero=true}}a{{/if}}', 'a'],
    ['{{#unless empty}}a{{else}}b{{/unless}}', 'a'],
    ['{{#with user}}{{city}}{{#each tags}}{{t}}{{../city}}{{/each}}{{/with}}', 'ZürichqZürich'],
    ['{{#with none}}a{{else}}b{{/with}}', 'b'],
    ['{{lookup user key}}{{lookup list 1}}', 'Zürichb'],
    ['{{#user}}{{city}}{{/user}}{{#list}}{{.}}{{/list}}{{^empty}}none{{/empty}}', 'Zürichabnone'],
    ['{{#*inline "tag"}}<{{t}}{{x}}>{{/inline}}{{#each user.tags}}{{> tag x=1}}{{/each}}', '<q1>'],
    [
      '{{#*inline "wrap"}}[{{> @partial-block}}]{{/inline}}{{#> wrap}}{{name}}{{/wrap}}',
      '[Ana &amp; &lt;Co&gt;]',
    ],
    ['{{#> missing}}fallback{{/missing}}', 'fallback'],
    ['a {{~zero~}} b{{! c }}{{!-- {{d}} --}}\\{{e}}', 'a0b{{e}}'],
    ['{{{{list}}}}{{raw}}{{{{/list}}}}', '{{raw}}{{raw}}'],
    ['{{#if list}}\n  x\n{{/if}}\n', '  x\n'],
  ])('%s', (source, expected) => {
    expect(render(source, data)).toBe(expected);
  });

  test('leaves no trace in the next rendering, also after a failure', () => {
    expect(render('{{#*inline "p"}}secret{{/inline}}{{> p}}{{> q}}')).toContain('no inline partial "q"');
    expect(render('{{> p}}')).toBe('line 1, column 1: there is no inline partial "p"');
  });

  test.each([[null], [[1]], ['text'], [new Date()], [undefined]])(
    'refuses data that is no JSON object: %p',
    (value) => {
      expect(compileTemplate({ source: 'x', data: value })).toMatchObject({
        ok: false,
        code: 'TEMPLATE_ERROR',
        message: 'the data must be a JSON object',
      });
    },
  );
});

describe('failures with line and column, both from 1', () => {
  test.each([
    ['a\n{{#if x}}b\n', 2, 4, 'the block "if" is not closed'],
    ['{{#each a}}\n {{#if b}}{{/if}}', 1, 4, 'the block "each" is not closed'],
    ['{{#each a}}\n {{#if b}}\n', 2, 5, 'the block "if" is not closed'],
    ['x\n {{#if x}}a{{/each}}', 2, 5, 'the block "if" is closed by "each"'],
    ['{{/if}}', 1, 1, '"{{/if}}" closes a block that is not open'],
    ['x{{else}}y', 1, 2, '"{{else}}" stands outside a block'],
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
    ['a\0b{{x}}', 1, 2, 'found "\\u0000", which no template may hold'],
    ['{{foo/../bar}}', 1, 3, 'invalid path: foo/..'],
    ['a\n {{formatdat total "EUR"}}', 2, 2, 'unknown helper "formatdat"; did you mean "formatDate"?'],
    ['{{#if (equ a b)}}x{{/if}}', 1, 7, 'unknown helper "equ"; did you mean "eq"?'],
    [
      '{{log "x"}}',
      1,
      1,
      'unknown helper "log"; the helpers are each, if, unless, with, lookup, formatDate, formatNumber, formatCurrency, currencyDecimals, eq, ne, lt, lte, gt, gte, and, or, not, default, inc, dec, add, subtract, multiply, divide, round, min, max, sum, join, length, first, last, range, uppercase, lowercase, capitalize, truncate, padStart, concat, nl2br, cssString, qrcode, barcode',
    ],
    ['{{#if}}x{{/if}}', 1, 1, 'the helper "if" takes 1 argument, not 0'],
    ['{{#with a b}}x{{/with}}', 1, 1, 'the helper "with" takes 1 argument, not 2'],
    ['{{lookup a}}', 1, 1, 'the helper "lookup" takes 2 arguments, not 1'],
    ['{{each a}}', 1, 1, 'the helper "each" must open a block: {{#each …}}'],
    ['{{* logger}}', 1, 1, 'decorators other than {{#*inline "name"}} are not supported'],
  ])('%s', (source, line, column, sentence) => {
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

  test('bounds nesting, and what it quotes', () => {
    const nested = `${'{{#if a}}'.repeat(301)}${'{{/if}}'.repeat(301)}`;
    const chain = `{{#if a}}${'{{else if a}}'.repeat(300)}{{/if}}`;
    const message = 'blocks or expressions are nested more than 300 levels deep';
    expect(parseTemplate({ source: nested })).toMatchObject({ message: `line 1, column 2701: ${message}` });
    expect(parseTemplate({ source: chain })).toMatchObject({
      message: `line 1, column ${10 + 299 * 13}: ${message}`,
    });
    expect(render(`{{${'y'.repeat(200)} 1}}`)).toStartWith(
      `line 1, column 1: unknown helper "${'y'.repeat(79)}…";`,
    );
  });

  test('accepts what parses', () => {
    expect(parseTemplate({ source: '<p>{{#each items}}{{name}}{{/each}}</p>' })).toEqual({
      ok: true,
      value: {},
    });
    expect(parseTemplate({ source: '' })).toEqual({ ok: true, value: {} });
  });

  test('names the partial that is missing, and the part that fails', () => {
    expect(compileTemplate({ source: '\n {{> row}}', data: {} })).toMatchObject({
      message: 'line 2, column 2: there is no inline partial "row"',
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

describe('attacks on the prototype', () => {
  test.each([
    '{{constructor}}',
    '{{constructor.name}}',
    '{{this.constructor.constructor}}',
    '{{__proto__}}',
    '{{__proto__.constructor}}',
    '{{toString}}',
    '{{valueOf}}',
    '{{hasOwnProperty}}',
    '{{__defineGetter__}}{{__lookupGetter__}}',
    '{{text.constructor}}{{text.length.constructor}}',
    '{{list.constructor}}{{list.map}}{{list.push}}',
    '{{lookup this "constructor"}}',
    '{{lookup this "__proto__"}}',
    '{{lookup (lookup this "constructor") "constructor"}}',
    '{{lookup list "constructor"}}',
    '{{#with (lookup this "constructor")}}{{name}}{{/with}}',
    '{{#with "s" as |string|}}{{#with string.constructor}}{{prototype}}{{/with}}{{/with}}',
    '{{#each this.constructor}}x{{/each}}',
    '{{#each (lookup this "__proto__")}}x{{/each}}',
    '{{#constructor}}x{{/constructor}}',
    '{{@root.constructor}}{{@root.__proto__}}',
    '{{helperMissing}}{{blockHelperMissing}}{{#helperMissing}}x{{/helperMissing}}',
    '{{#if __proto__}}x{{/if}}',
    '{{join this.constructor ""}}{{join list.map ""}}',
    '{{join (first (range 1 0)) ""}}',
    '{{join pair "" "constructor.name"}}{{join pair "" "__proto__.x"}}{{join list "" "toString"}}',
    '{{lookup (range 1 0) "constructor"}}{{lookup (qrcode "x") "toHTML"}}',
    '{{default this.constructor ""}}{{or this.__proto__ ""}}',
  ])('%s gives nothing', (source) => {
    expect(render(source, { text: 'a', list: [1], pair: [{}, {}] })).toBe('');
  });

  test.each([
    '{{constructor "return 1"}}',
    '{{#constructor "return 1"}}x{{/constructor}}',
    '{{this.constructor.constructor "return process"}}',
    '{{lookup.constructor "return process"}}',
    '{{__lookupGetter__ "x"}}',
    '{{__defineGetter__ "x" valueOf}}',
    '{{helperMissing "x"}}',
    '{{blockHelperMissing this}}',
    '{{#with "s"}}{{repeat 2}}{{/with}}',
    '{{> __proto__}}',
    '{{> (lookup this "constructor")}}',
    '{{#*inline "p"}}x{{/inline}}{{#> p}}{{@partial-block.constructor}}{{/p}}',
    '{{#*inline "p"}}{{#if 1}}{{@_parent.partial-block}}{{/if}}{{/inline}}{{#> p}}x{{/p}}',
    '{{#*inline "p"}}{{#each @root.l}}{{lookup @_parent "partial-block"}}{{/each}}{{/inline}}{{#> p}}x{{/p}}',
    '{{#*inline "p"}}{{#each @root.l}}{{lookup @../_parent "partial-block"}}{{/each}}{{/inline}}{{#> p}}x{{/p}}',
    '{{#*inline "p"}}{{lookup @this "partial-block"}}{{/inline}}{{#> p}}x{{/p}}',
    '{{#*inline "p"}}{{#with @.}}{{lookup this "partial-block"}}{{/with}}{{/inline}}{{#> p}}x{{/p}}',
    '{{#*each "p"}}x{{/each}}',
    '{{eq.constructor "return process"}}',
    '{{uppercase "x" constructor="return 1"}}',
    '{{uppercase "x" __proto__=this}}',
    '{{"uppercase"}}',
    '{{[uppercase]}}',
    '{{* __proto__}}',
  ])('%s fails', (source) => {
    expect(compileTemplate({ source, data: {} })).toMatchObject({ ok: false, code: 'TEMPLATE_ERROR' });
  });

  test('keys of the data that are named so are data', () => {
    const data: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":{"name":"c"},"toHTML":"<"}');
    expect(
      render('{{__proto__.a}}{{constructor.name}}{{toHTML}}{{#with constructor}}{{name}}{{/with}}', data),
    ).toBe('1c&lt;c');
    expect(
      render(
        '{{#*inline "__proto__"}}x{{/inline}}{{#*inline "p"}}{{a}}{{/inline}}{{> p a=2 __proto__=3}}',
        data,
      ),
    ).toBe('2');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('bounds', () => {
  const list = Array.from({ length: 2_000 }, (_, index) => index);
  const long = '<'.repeat(100_000);
  const longer = '<'.repeat(10_000_000);
  test.each([
    [
      'nested each',
      '{{#each list}}{{#each ../list}}{{#each ../../list}}xxxxxxxxxxxxxxxx{{/each}}{{/each}}{{/each}}',
    ],
    ['escaped text', '{{long}}'.repeat(2_000)],
    ['unescaped text', '{{{long}}}'.repeat(2_000)],
    ['text beyond the longest string', '{{{longer}}}'.repeat(300)],
    [
      'partials that double',
      `${list
        .slice(0, 40)
        .map((n) => `{{#*inline "p${n}"}}{{> p${n + 1}}}{{> p${n + 1}}}{{/inline}}`)
        .join('')}{{#*inline "p40"}}${'x'.repeat(1_000)}{{/inline}}{{> p0}}`,
    ],
  ])('%s ends at the bound', (_, source) => {
    const result = compileTemplate({ source, data: { list, long, longer }, maxOutputBytes: 1_000_000 });
    expect(result).toEqual({ ok: false, code: 'TEMPLATE_ERROR', message: 'the output is too large' });
  });

  test('the bound is in bytes, and holds for the template and its parts together', () => {
    const task = (maxOutputBytes: number) =>
      compileTemplate({ source: 'é{{x}}', data: { x: 'é' }, parts: { header: 'abc' }, maxOutputBytes }).ok;
    expect([task(7), task(6), task(3)]).toEqual([true, false, false]);
  });

  test.each([
    '{{#*inline "p"}}x{{> p}}{{/inline}}{{> p}}',
    '{{#*inline "p"}}\n  {{> p}}\n{{/inline}}\n  {{> p}}',
    '{{#*inline "p"}}{{> q}}{{/inline}}{{#*inline "q"}}{{> p}}{{> p}}{{/inline}}{{> p}}',
    '{{#*inline "p"}}{{#each a}}{{#with this}}{{> p a=../a}}{{/with}}{{/each}}{{/inline}}{{> p}}',
  ])('%s ends with a failure', (source) => {
    expect(render(source, { a: [{}] })).toStartWith(
      'blocks and partials call each other more than 500 levels deep',
    );
  });

  test('a partial may call itself on a tree', () => {
    const tree = { v: 1, c: [{ v: 2, c: [{ v: 3 }] }, { v: 4 }] };
    expect(render('{{#*inline "n"}}({{v}}{{#each c}}{{> n}}{{/each}}){{/inline}}{{> n}}', tree)).toBe(
      '(1(2(3))(4))',
    );
  });
});

describe('page variables', () => {
  const page = '<span class="pageNumber"></span>';
  const total = '<span class="totalPages"></span>';

  test('become the elements that Chromium fills', () => {
    expect(replacePageVariables('{{pageNumber}}/{{ totalPages }} {{{\n pageNumber\t}}}')).toBe(
      `${page}/${total} ${page}`,
    );
    expect(replacePageVariables('{{~pageNumber~}} {{page}} {pageNumber} {{totalPagesX}}')).toBe(
      `${page} {{page}} {pageNumber} {{totalPagesX}}`,
    );
  });

  test('survive in parts, beside variables of the data', () => {
    const parts = { header: '{{title}} {{pageNumber}}', footer: '{{#if title}}{{{totalPages}}}{{/if}}' };
    const result = compileTemplate({
      source: '{{pageNumber}}',
      data: { title: '<T>', pageNumber: 'data' },
      parts,
    });
    expect(result).toEqual({
      ok: true,
      value: { html: 'data', parts: { header: `&lt;T&gt; ${page}`, footer: total } },
    });
  });
});
