import { expect, test } from 'bun:test';
import { pageRuleOf } from './page-rule.ts';

test.each([
  ['<style>p { margin: 0 }</style>', false, false],
  ['@page { margin: 20mm }', true, false],
  ['@PAGE{size:A4;Margin-Top:1cm}', true, false],
  ['@page :first { margin: 0 }', false, false],
  ['@page { size: A4 } p { margin: 0 }', false, false],
  ['@page { @bottom-center { margin: 0; content: "1" } }', false, true],
  ['@page :first { @top-left { content: "{{name}}" } } @page { margin: {{size}} }', true, true],
  ['@page { margin: 1cm', true, false],
  ['@page', false, false],
])('the page rules of %s', (html, hasMargins, hasMarginBoxes) => {
  expect(pageRuleOf(html)).toEqual({ hasMargins, hasMarginBoxes });
});
