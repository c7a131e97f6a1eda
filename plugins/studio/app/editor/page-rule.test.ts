import { expect, test } from 'bun:test';
import { pageRuleOf } from './page-rule.ts';

const all = (line: number) => ({ top: line, right: line, bottom: line, left: line });

test.each([
  ['<style>p { margin: 0 }</style>', {}, false],
  ['@page { margin: 20mm }', all(1), false],
  ['<style>\n@page {\r\n  size: A4;\r  margin: 20mm;\n}</style>', all(4), false],
  ['@PAGE{size:A4;Margin-Top:1cm}', { top: 1 }, false],
  ['@page {\nmargin: 1cm;\nmargin-left: 2cm }', { ...all(2), left: 3 }, false],
  ['@page { /* margin: 1cm;\n */ margin-right : 0 }', { right: 2 }, false],
  ['@page { /* margin: 1cm } */ size: A4 }', {}, false],
  ['@page { --margin: 1cm; marginal: 2 }', {}, false],
  ['@page :first { margin: 0 }', {}, false],
  ['@page { size: A4 } p { margin: 0 }', {}, false],
  ['@page { @bottom-center { margin: 0; content: "1" } }', {}, true],
  ['@page :first { @top-left { content: "{{name}}" } } @page { margin: {{size}} }', all(1), true],
  ['@page { margin: 1cm', all(1), false],
  ['@page', {}, false],
  ['/* @page { margin: 1cm }', {}, false],
])('the page rules of %j', (html, marginLines, hasMarginBoxes) => {
  expect(pageRuleOf(html)).toEqual({ marginLines, hasMarginBoxes });
});
