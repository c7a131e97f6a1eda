import { expect, test } from 'bun:test';
import { mayMissGlyphs } from './missing-glyphs.ts';

test.each([
  ['<p>Żółć – “naïve” … 5 € &amp; &nbsp;x & y', false],
  ['<p>\uE123', true],
  ['<p>Ж', true],
  ['<p>&#xE123;', true],
  ['<p>&Zcy;', true],
  ['<style>p::before { content: "\\e123" }</style>', true],
  ['<p>\u0001', true],
])('%p', (markup, expected) => {
  expect(mayMissGlyphs(markup)).toBe(expected);
});
