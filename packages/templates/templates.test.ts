import { describe, expect, test } from 'bun:test';
import { render } from './tests/render-template.ts';
import { compileTemplate } from './templates.ts';
import { replacePageVariables } from './page-variables.ts';

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
  ])('%j gives %j', (source, expected) => {
    expect(render(source, data)).toBe(expected);
  });

  test('does not affect the next rendering, even after a failure', () => {
    expect(render('{{#*inline "p"}}secret{{/inline}}{{> p}}{{> q}}')).toContain(
      'the partial "q" does not exist',
    );
    expect(render('{{> p}}')).toBe('line 1, column 1: the partial "p" does not exist');
  });

  test.each([[null], [[1]], ['text'], [new Date()], [undefined]])(
    'rejects data that is not a JSON object: %p',
    (value) => {
      expect(compileTemplate({ source: 'x', data: value })).toMatchObject({
        ok: false,
        code: 'TEMPLATE_ERROR',
        message: 'the data must be a JSON object',
      });
    },
  );
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
  ])('%s renders nothing', (source) => {
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

  test('data keys with these names are data', () => {
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

describe('limits', () => {
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
  ])('%s stops at the output limit', (_, source) => {
    const result = compileTemplate({ source, data: { list, long, longer }, maxOutputBytes: 1_000_000 });
    expect(result).toEqual({ ok: false, code: 'TEMPLATE_ERROR', message: 'the output is too large' });
  });

  test('the output limit counts the bytes of the template and its parts', () => {
    const task = (maxOutputBytes: number) =>
      compileTemplate({ source: 'é{{x}}', data: { x: 'é' }, parts: { header: 'abc' }, maxOutputBytes }).ok;
    expect([task(7), task(6), task(3)]).toEqual([true, false, false]);
  });

  test.each([
    '{{#*inline "p"}}x{{> p}}{{/inline}}{{> p}}',
    '{{#*inline "p"}}\n  {{> p}}\n{{/inline}}\n  {{> p}}',
    '{{#*inline "p"}}{{> q}}{{/inline}}{{#*inline "q"}}{{> p}}{{> p}}{{/inline}}{{> p}}',
    '{{#*inline "p"}}{{#each a}}{{#with this}}{{> p a=../a}}{{/with}}{{/each}}{{/inline}}{{> p}}',
  ])('%s fails', (source) => {
    expect(render(source, { a: [{}] })).toStartWith(
      'blocks and partials call each other more than 500 levels deep',
    );
  });

  test('a recursive partial renders a tree', () => {
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

  test('are kept in parts, next to variables of the data', () => {
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
