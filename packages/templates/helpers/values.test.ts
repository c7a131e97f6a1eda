import { describe, expect, test } from 'bun:test';
import { render } from '../tests/render-template.ts';

describe('logic', () => {
  const data = { one: 1, text: '1', empty: [], none: null, list: [1], object: {} };
  test.each([
    ['{{eq one text}} {{eq text one}} {{ne one 1}}', 'true true false'],
    ['{{eq "1.0" 1}} {{eq "1.0" "1"}} {{eq "" 0}} {{eq false 0}}', 'false false false false'],
    ['{{eq "01" 1}} {{eq 1 "01"}} {{ne "01" 1}}', 'false false true'],
    ['{{eq "-1.5" -1.5}} {{eq 10 "1e1"}}', 'true false'],
    ['{{eq none missing}} {{eq none ""}} {{eq list list}} {{eq empty list}}', 'true false true false'],
    ['{{lt "9" "10"}} {{lt "b" "a"}} {{lt "2026-01-02" "2026-02-01"}}', 'true false true'],
    ['{{lte 1 1}} {{gte 1 1}} {{gt 1 1}} {{lt 1 1}}', 'true true false false'],
    ['{{gt missing 0}} {{lt none 1}} {{lte "" ""}}', 'false false false'],
    ['[{{and 1 0 2}}][{{and 1 2}}][{{and empty 1}}][{{or 0 empty "x"}}][{{or 0 ""}}]', '[0][2][][x][]'],
    ['{{not empty}} {{not list}} {{not object}} {{not 0}}', 'true false false true'],
    ['{{#if (and list (or none (not empty)))}}yes{{/if}}', 'yes'],
    ['{{#gt one 0}}{{one}}{{else}}no{{/gt}}{{#not one}}no{{/not}}', '1'],
    ['{{#if none}}a{{else eq one 1}}b{{else}}c{{/if}}{{^eq one 2}}d{{/eq}}', 'bd'],
    ['{{#each list}}{{#eq this ../one}}{{@index}}{{/eq}}{{/each}}', '0'],
    ['{{default 0 5}} {{default false 5}} {{default none 5}} {{default "" 5}}', '0 false 5 5'],
  ])('%s gives %s', (source, expected) => {
    expect(render(source, data)).toBe(expected);
  });

  test('rejects comparisons of different types', () => {
    expect(render('{{lt 1 "a"}}')).toBe(
      'line 1, column 1: the helper "lt" takes two numbers or two texts, not 1 and "a"',
    );
    expect(render('{{gt list 1}}', data)).toEndWith('not a list and 1');
  });
});

describe('arithmetic is decimal', () => {
  test.each([
    ['{{add 0.1 0.2}} {{add "1.10" 2 missing}} {{subtract 1000000.1 1000000}}', '0.3 3.1 0.1'],
    ['{{multiply 19.99 0.19}} {{multiply 1.1 1.1 1.1}} {{multiply 3 -0.1}}', '3.7981 1.331 -0.3'],
    ['{{divide 1 3}} {{divide 0.3 0.1}} {{divide -1 8}}', '0.333333333333333 3 -0.125'],
    [
      '{{round 1.005 2}} {{round -2.5}} {{round "1e21" 2}} {{round -0.4}} {{round "1e-7" 3}}',
      '1.01 -3 1e+21 0 0',
    ],
    ['{{inc @index}} {{inc -1}} {{inc 0.1}} {{dec 1}}', '1 0 1.1 0'],
    ['[{{min 3 "2" missing}}] [{{max list}}] [{{max empty}}] [{{min -1}}]', '[2] [9] [] [-1]'],
    ['{{sum list}} {{sum empty}} {{sum missing}}', '20.5 0 0'],
    ['{{sum rows "price.net"}} {{sum rows "price.net" "quantity"}} {{sum rows "nosuch"}}', '30.3 40.4 0'],
    ['{{sum cents}}', '1000'],
    [
      '{{add "123456789012.50" 0}} {{add "33.333333333333333333" 0}} {{add "+00012E20" 0}}',
      '123456789012.5 33.333333333333336 1.2e+21',
    ],
    ['{{sum halves decimals=2}} {{sum halves decimals=0}}', '0.02 0'],
    ['{{sum rows "price.net" "quantity" decimals=0}} {{sum list decimals=none}}', '40 20.5'],
    [
      '{{currencyDecimals "EUR"}} {{currencyDecimals "jpy"}} {{currencyDecimals "KWD"}} {{currencyDecimals "XQZ"}}',
      '2 0 3 2',
    ],
  ])('%s gives %s', (source, expected) => {
    const data = {
      list: [9, '9', 2.5, null],
      empty: [],
      rows: [
        { price: { net: 10.1 }, quantity: 2 },
        { price: { net: 20.2 }, quantity: 1 },
        { price: {} },
        { quantity: 4 },
        null,
      ],
      halves: [0.005, '0.005'],
      cents: Array.from({ length: 100_000 }, () => 0.01),
    };
    expect(render(source, data)).toBe(expected);
  });

  test.each([
    ['{{divide 7 0}}', 'the helper "divide" cannot divide 7 by zero'],
    ['{{divide 7 missing}}', 'the helper "divide" cannot divide 7 by zero'],
    ['{{multiply "1e308" 10}}', 'the helper "multiply" returns a number that is too large'],
    [
      '{{add "9007199254740993" 0}}',
      'the helper "add" takes numbers of up to 15 digits, not "9007199254740993"',
    ],
    [
      '{{max "12345678901234567.89"}}',
      'the helper "max" takes numbers of up to 15 digits, not "12345678901234567.89"',
    ],
    ['{{add 1 true}}', 'the helper "add" takes numbers, not true'],
    [
      '{{round 1 1000000000}}',
      'the helper "round" takes decimals as a whole number from 0 to 20, not 1000000000',
    ],
    ['{{sum "abc"}}', 'the helper "sum" takes a list, not "abc"'],
    ['{{sum list}}', 'the helper "sum" takes numbers, not an object'],
    ['{{sum list "a"}}', 'the helper "sum" takes numbers, not "x"'],
    ['{{sum list 1}}', 'the helper "sum" takes a field as text such as "price.net", not 1'],
    [
      '{{sum list "b" decimals=1000000000}}',
      'the helper "sum" takes decimals= as a whole number from 0 to 20, not 1000000000',
    ],
    [
      '{{currencyDecimals "€"}}',
      'the helper "currencyDecimals" takes a currency as an ISO 4217 code such as "EUR", not "€"',
    ],
    ['{{max list}}', 'the helper "max" takes numbers or a list of numbers, not an object'],
  ])('%s is rejected', (source, expected) => {
    expect(render(source, { list: [{ a: 'x' }] })).toBe(`line 1, column 1: ${expected}`);
  });
});

describe('lists and text', () => {
  test.each([
    [
      '{{join list ", "}}|{{join none "x"}}|{{join rows "/" "a.b"}}|{{join list none}}',
      '1, &lt;b&gt;, |||1&lt;b&gt;',
    ],
    ['{{length list}} {{length none}} {{length "a😀"}} {{length rows}}', '3 0 2 1'],
    ['{{first list}}|{{last rows}}|{{first none}}|{{last none}}', '1|[object Object]||'],
    [
      '{{#each (range -1 1)}}{{this}},{{/each}} {{length (range 1 10000)}} {{length (range 2 1)}}',
      '-1,0,1, 10000 0',
    ],
    [
      '{{uppercase "i" locale="tr"}} {{lowercase "ÀÉ"}} {{capitalize "éa"}} {{capitalize "😀a"}} [{{capitalize none}}]',
      'İ àé Éa 😀a []',
    ],
    ['{{uppercase "<b>"}} {{{uppercase "<b>"}}}', '&lt;B&gt; <B>'],
    [
      '{{truncate "abcdef" 4}}|{{truncate "abc" 3}}|{{truncate "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧" 2}}|{{truncate none 5}}|{{truncate "ab" 1}}',
      'abc…|abc|👨‍👩‍👧…||…',
    ],
    ['{{padStart 7 3 "0"}}|{{padStart "x" 3}}|{{padStart "long" 2}}', '007|  x|long'],
    ['{{concat "a" 1 none true}}', 'a1true'],
    ['{{nl2br text}}', '&lt;i&gt;<br>b<br>c<br><br>'],
    ['{{uppercase (nl2br text)}}', '&amp;LT;I&amp;GT;&lt;BR&gt;B&lt;BR&gt;C&lt;BR&gt;&lt;BR&gt;'],
    ['{{cssString "é 例 ١ 😀"}}', '"é 例 ١ \\1f600 "'],
    [
      '{{cssString text}} {{cssString none}} {{cssString 1.5}}',
      String.raw`"\3c i\3e \a b\d \a c\d \a \a " "" "1\2e 5"`,
    ],
    [
      String.raw`{{cssString '"; } </style> */ \'}}`,
      String.raw`"\22 \3b  \7d  \3c \2f style\3e  \2a \2f  \5c "`,
    ],
  ])('%s gives %s', (source, expected) => {
    expect(
      render(source, { list: [1, '<b>', ''], none: null, rows: [{ a: {} }], text: '<i>\nb\r\nc\r\n\n' }),
    ).toBe(expected);
  });

  test.each([
    ['{{range 1 10001}}', 'the helper "range" takes a range of at most 10000 numbers, not 10001'],
    ['{{range 0 1000000000}}', 'the helper "range" takes a range of at most 10000 numbers, not 1000000001'],
    [
      '{{range 0.5 2}}',
      'the helper "range" takes both ends as a whole number from -1000000000 to 1000000000, not 0.5',
    ],
    [
      '{{padStart "x" 1000000000}}',
      'the helper "padStart" takes a length as a whole number from 0 to 1000, not 1000000000',
    ],
    [
      '{{padStart "x" 5 long}}',
      `the helper "padStart" takes a fill of at most 100 characters, not "${'x'.repeat(79)}…"`,
    ],
    ['{{truncate "x" 0}}', 'the helper "truncate" takes a length as a whole number from 1 to 1000000, not 0'],
    ['{{uppercase list}}', 'the helper "uppercase" takes text, not a list'],
    ['{{join list ","}}', 'the helper "join" takes text, not an object'],
    ['{{join list}}', 'the helper "join" takes 2 to 3 arguments, not 1: {{join list separator [field]}}'],
    ['{{length 5}}', 'the helper "length" takes a list or text, not 5'],
    ['{{first "text"}}', 'the helper "first" takes a list, not "text"'],
  ])('%s is rejected', (source, expected) => {
    expect(render(source, { list: [{}], long: 'x'.repeat(1_000_000) })).toBe(`line 1, column 1: ${expected}`);
  });

  test.each([
    ['{{#if (join list separator)}}x{{/if}}'],
    [
      `{{#with (concat separator separator)}}${'{{#with (concat this this)}}'.repeat(40)}x${'{{/with}}'.repeat(41)}`,
    ],
    ['{{#each list}}{{#if (uppercase ../separator)}}{{/if}}{{/each}}'],
    ['{{#each list}}{{nl2br ../separator}}{{/each}}'],
    ['{{#each list}}{{#if (nl2br ../separator)}}{{/if}}{{/each}}'],
  ])('%s stops at the output limit', (source) => {
    const list = Array.from({ length: 1_000_000 }, () => 1);
    expect(render(source, { list, separator: '<'.repeat(1_000_000) })).toEndWith('the output is too large');
  });
});
