import { expect, test } from 'bun:test';
import { parseXml } from './parse-xml.ts';

test('reads elements, attributes, namespaces, character references and CDATA', () => {
  const text = `<?xml version="1.0"?><!-- a > b --><x:a xmlns:x = 'u' x:b="1 &lt; 2" c='"'>
    &amp;<![CDATA[<d>]]><e/><f ></f ></x:a>`;
  expect(parseXml(text)).toMatchObject({
    name: 'u a',
    prefix: 'x',
    attributes: new Map([
      ['u b', '1 < 2'],
      ['c', '"'],
    ]),
    text: expect.stringContaining('&<d>'),
    children: [{ name: 'e' }, { name: 'f' }],
  });
});

test('a namespace applies to an element and its descendants, unless a descendant replaces it', () => {
  const text = '<a xmlns="u" xmlns:x="v"><x:b xmlns:x="w"><x:c/></x:b><x:d/><e xmlns=""/></a>';
  expect(parseXml(text)).toMatchObject({
    name: 'u a',
    children: [{ name: 'w b', children: [{ name: 'w c' }] }, { name: 'v d' }, { name: ' e' }],
  });
  expect(parseXml('<a><b xmlns:x="u"/><x:c/></a>')).toBeUndefined();
});

test('reads many namespaces and elements', () => {
  const namespaces = Array.from({ length: 2_000 }, (_, at) => ` xmlns:n${at}="u${at}"`).join('');
  const root = parseXml(`<a${namespaces}>${'<n7:b xmlns:x="y"/>'.repeat(2_000)}</a>`);
  expect(root?.children.length).toBe(2_000);
  expect(root?.children.at(-1)?.name).toBe('u7 b');
});

test.each([
  '',
  'text',
  '<a>',
  '<a></b>',
  '<a/><b/>',
  '<a b/>',
  '<a b=1/>',
  '<a b="1"c="2"/>',
  '<a b="1" b="2"/>',
  '<a b="/>',
  '<a>&unknown;</a>',
  '<a><!-- </a>',
  '<a><![CDATA[ </a>',
  '<!DOCTYPE a><a/>',
  '<x:a/>',
  '<a>'.repeat(65) + '</a>'.repeat(65),
])('rejects malformed XML: %s', (text) => {
  expect(parseXml(text)).toBeUndefined();
});

test.each(['<', '</', '<a ', '<!--', '<?', '<![CDATA[', '<a b="', ' ', 'a', '&'])(
  'rejects unfinished XML with megabytes of %p in linear time',
  (piece) => {
    expect(parseXml(`<r ${piece.repeat(4_000_000 / piece.length)}`)).toBeUndefined();
    expect(parseXml(`<r>${piece.repeat(4_000_000 / piece.length)}`)).toBeUndefined();
  },
);

test.each(['constructor', 'toString', '__proto__'])('rejects the unknown entity %s', (name) => {
  expect(parseXml(`<a>&${name};</a>`)).toBeUndefined();
});

test('rejects a namespace of a megabyte', () => {
  expect(parseXml(`<a xmlns:z="${'u'.repeat(1_000_000)}"><z:a/></a>`)).toBeUndefined();
});
