import { describe, expect, test } from 'bun:test';
import { listPartials } from './partials.ts';
import { compileTemplate } from './templates.ts';

function render(source: string, partials: Record<string, string>, data: object = {}): string {
  const result = compileTemplate({ source, data, partials });
  return result.ok ? result.value.html : result.message;
}

describe('partials', () => {
  test.each<[string, Record<string, string>, string]>([
    ['{{> a}}', { a: 'x' }, 'x'],
    ['{{> a}}{{> a}}', { a: '{{n}}' }, '11'],
    ['{{> a m=2}}', { a: '{{n}}{{m}}' }, '12'],
    ['{{> a list}}', { a: '{{#each this}}{{this}},{{/each}}' }, '1,2,'],
    ['{{#each list}}{{> a}}{{/each}}', { a: '<{{this}}>' }, '<1><2>'],
    ['{{> a}}', { a: '{{> b}}', b: 'deep' }, 'deep'],
    [
      '{{#> layout}}body {{n}}{{/layout}}',
      { layout: '<main>{{> @partial-block}}</main>' },
      '<main>body 1</main>',
    ],
    [
      '{{#> layout}}{{#*inline "title"}}T{{/inline}}body{{/layout}}',
      { layout: '{{> title}}:{{> @partial-block}}' },
      'T:body',
    ],
    ['{{#*inline "a"}}own{{/inline}}{{> a}}', { a: 'given' }, 'own'],
    ['{{#> missing}}default{{/missing}}', {}, 'default'],
    ['{{> a-b}}{{> [c d]}}{{> "e"}}', { 'a-b': '1', 'c d': '2', e: '3' }, '123'],
    ['{{> a}}', { a: '{{asset "logo.png"}} & <b>' }, 'asset:logo.png & <b>'],
  ])('%s with %j', (source, partials, expected) => {
    expect(render(source, partials, { n: 1, list: [1, 2] })).toBe(expected);
  });

  test.each<[string, Record<string, string>, string]>([
    ['a{{> b}}', {}, 'line 1, column 2: the partial "b" does not exist'],
    ['{{> a}}', { a: 'x\n {{> b}}' }, 'partial "a": line 2, column 2: the partial "b" does not exist'],
    ['{{> a}}', { a: '\n{{round "x"}}' }, 'partial "a": line 2, column 1: the helper "round"'],
    ['{{> a}}', { a: '\n{{#if}}' }, 'partial "a": line 2'],
    ['\n{{#> a}}{{round "x"}}{{/a}}', { a: '{{> @partial-block}}' }, 'line 2, column 9: the helper "round"'],
    ['{{> a}}', { a: '{{> a}}' }, 'does a partial call itself?'],
  ])('an error in %s with %j names the place', (source, partials, expected) => {
    expect(render(source, partials)).toContain(expected);
  });

  test('header and footer may call them, and the output limit covers them', () => {
    const partials = { a: 'x'.repeat(600) };
    const parts = { header: '{{> a}}' };
    const input = { source: '{{> a}}', data: {}, parts, partials };
    expect(compileTemplate({ ...input, maxOutputBytes: 1_200 })).toMatchObject({
      ok: true,
      value: { parts: { header: partials.a } },
    });
    expect(compileTemplate({ ...input, maxOutputBytes: 1_100 })).toMatchObject({ ok: false });
    expect(compileTemplate({ ...input, source: '{{> a}}{{> a}}', maxOutputBytes: 1_100 })).toMatchObject({
      ok: false,
    });
  });

  test('a changed partial takes effect although the template is cached', () => {
    expect(render('{{> a}}', { a: 'one' })).toBe('one');
    expect(render('{{> a}}', { a: 'two' })).toBe('two');
    expect(render('{{> a}}', {})).toContain('does not exist');
  });
});

describe('listPartials', () => {
  test('lists the called names without inline partials and computed names', () => {
    const source =
      '{{> a}}{{#if x}}{{~> b-c y=1 ~}}{{/if}}{{#> layout}}{{> [with space]}}{{> @partial-block}}{{/layout}}{{#*inline "own"}}{{> "inner"}}{{/inline}}{{> own}}{{> (lookup . "z")}}';
    expect(listPartials({ source })).toEqual({
      ok: true,
      value: ['a', 'b-c', 'layout', 'with space', 'inner'],
    });
    for (const faulty of ['{{#if', '{{> a}}\n{{#if x}}{{/each}}'])
      expect(listPartials({ source: faulty })).toMatchObject({ ok: false, code: 'TEMPLATE_ERROR' });
  });
});
