import { expect, test } from 'bun:test';
import { mayMissGlyphs } from './missing-glyphs.ts';

test.each([
  ['<p>Żółć – “naïve” … 5 € &amp; &nbsp;x & y', false],
  ['<p>\uE123', true],
  ['<p>Ж', true],
  ['<p>1&#8239;000 &ensp;&#xE9;', false],
  ['<p>&#xE123;', true],
  ['<p>&#57635;', true],
  ['<p>&#xE123', true],
  ['<p>&#x10FFFF;&#1114112;', true],
  ['<p>&#38;#xE9;', true],
  ['<p>&Zcy;', true],
  ['<style>p::before { content: "\\e123" }</style>', true],
  ['<p>\u0001', true],
])('a glyph may be missing for %p: %p', (markup, expected) => {
  expect(mayMissGlyphs(markup)).toBe(expected);
});
