import { expect, test } from 'bun:test';
import { decodeXml, encodeXml, readTree, writeTree, XmlFault } from './index.ts';

test('a tree is written as it was read, without declaration and comments', () => {
  const xml = '<a xmlns:b="u" c="&lt;&#10;"><b:d/>x &amp; y<e> </e></a>';
  expect(writeTree(readTree(`<?xml version="1.0"?>\n<!-- c -->${xml}`))).toBe(xml);
  expect(writeTree(readTree("<a b='&quot;\"'><![CDATA[<&]]></a>"))).toBe('<a b="&quot;&quot;">&lt;&amp;</a>');
});

test('known namespaces get the prefixes of the caller', () => {
  const known = new Map([['u', 'w']]);
  expect(writeTree(readTree('<a xmlns="u"><b xmlns="v"/><c d="1"/></a>', known))).toBe(
    '<w:a xmlns="u" xmlns:w="u"><b xmlns="v"/><w:c d="1"/></w:a>',
  );
  expect(readTree('<w:a xmlns:w="u" w:b="1"/>', known).attributes.get('w:b')).toBe('1');
  expect(readTree('<q:a xmlns:q="u" q:b="1"/>', new Map([['u', '']])).name).toBe('a');
});

test.each([
  ['<a>', 'not well-formed'],
  ['<a></b>', 'not well-formed'],
  ['<a/><b/>', 'exactly one root'],
  ['<a b="1" b="2"/>', 'the attribute b twice'],
  ['<a>&x;</a>', 'unknown entity'],
  ['<a>&lt</a>', 'unknown entity'],
  ['<!DOCTYPE a><a/>', 'document type declaration'],
  ['<a>\u0001</a>', 'does not allow'],
  ['<a><!-- </a>', 'ends too early'],
  ['x<a/>', 'outside its root'],
])('%s is not accepted', (xml, message) => {
  expect(() => readTree(xml)).toThrow(XmlFault);
  expect(() => readTree(xml)).toThrow(message);
});

test('references are decoded and encoded', () => {
  expect(decodeXml('&lt;&#65;&#x42;&amp;amp;&#1;')).toBe('<AB&amp;');
  expect(encodeXml('<"&>')).toBe('&lt;&quot;&amp;&gt;');
});
