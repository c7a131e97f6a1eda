import { expect, test } from 'bun:test';
import { compileTemplate, parseTemplate } from './templates.ts';

test.each([
  ['{{add 1}}', 1, 1, 'the helper "add" takes 2 to 100 arguments, not 1: {{add a b …}}'],
  ['{{#if (not a b)}}x{{/if}}', 1, 7, 'the helper "not" takes 1 argument, not 2: {{not a}}'],
  [
    '{{length}}',
    1,
    1,
    'the helper "length" takes 1 argument, not 0: {{length list}}; a field of that name is {{this.length}}',
  ],
  [
    'a\n{{#range 1 3}}x{{/range}}',
    2,
    1,
    'the helper "range" cannot open a block; use {{range from to}}, or call it in parentheses',
  ],
  ['{{#if (first.name a)}}x{{/if}}', 1, 7, '"first.name" is a field and takes no arguments'],
  ['{{#if (max.a)}}x{{/if}}', 1, 7, '"max.a" is a field and takes no arguments'],
  ['{{#each.x a}}x{{/each.x}}', 1, 1, '"each.x" is a field and takes no arguments'],
  ['{{../eq a b}}', 1, 1, '"../eq" is a field and takes no arguments'],
  ['{{this.eq x=1}}', 1, 1, '"this.eq" is a field and takes no arguments'],
  ['{{nl2br a b=1}}', 1, 11, 'the helper "nl2br" takes no options, not "b"'],
  ['{{capitalize a lang="de"}}', 1, 16, 'the helper "capitalize" takes only the options locale, not "lang"'],
])('%s does not parse', (source, line, column, sentence) => {
  const message = `line ${line}, column ${column}: ${sentence}`;
  expect(parseTemplate({ source })).toEqual({ ok: false, code: 'TEMPLATE_ERROR', message, line, column });
});

test.each([
  ['{{first.name}} {{max.a.b}} {{this.length}} {{lookup this "eq"}}', 'F 5 7 E'],
  ['{{#each list as |max round|}}{{max}}{{round}}{{../first.name}}{{/each}}', 'a0Fb1F'],
  ['{{#first.list}}{{this}}{{/first.list}}{{#if length}}y{{/if}}{{uppercase min}}', '1yM'],
  [
    '{{#each list}}{{#if @first}}{{@index}}{{/if}}{{#with ../first}}{{#if @last}}{{name}}{{/if}}{{/with}}{{/each}}',
    '0F',
  ],
])('%s reads fields with the names of helpers', (source, expected) => {
  const data = {
    first: { name: 'F', list: [1] },
    max: { a: { b: 5 } },
    length: 7,
    eq: 'E',
    min: 'm',
    list: ['a', 'b'],
  };
  expect(compileTemplate({ source, data })).toEqual({ ok: true, value: { html: expected } });
});
