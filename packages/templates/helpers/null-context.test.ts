import { expect, test } from 'bun:test';
import { compileTemplate } from '../templates.ts';

// A `null` list item, as seen in a block inside the `each` block.
test.each([
  ['{{#if 1}}[{{this}}{{{this}}}]{{/if}}', '[][11]'],
  ['{{#if 1}}{{#if this}}yes{{else}}no{{/if}}{{/if}};', 'no;yes;'],
  ['{{#if 1}}{{#unless this}}no{{/unless}}{{/if}};', 'no;;'],
  ['{{#if 1}}{{#with this}}yes{{else}}no{{/with}}{{/if}};', 'no;yes;'],
  ['{{#if 1}}{{#this}}yes{{else}}no{{/this}}{{/if}};', 'no;yes;'],
  ['{{#if 1}}{{#each this}}x{{else}}none{{/each}}{{/if}};', 'none;none;'],
  ['{{#if 1}}{{default this "none"}}{{/if}};', 'none;1;'],
  ['{{#if 1}}{{add this 1}}{{/if}};', '1;2;'],
  ['{{#if 1}}{{formatNumber 1 minDecimals=this}}{{/if}};', '1;1.0;'],
  ['{{#if 1}}{{eq this null}}{{uppercase this}}{{/if}};', 'true;false1;'],
  ['{{#eq 1 1}}{{#if 1}}{{concat "a" this}}{{/if}}{{/eq}};', 'a;a1;'],
  ['{{#if 1}}{{../list.length}}{{this.x}}{{/if}};', '2;2;'],
  ['{{#if 1}}{{#*inline "row"}}<{{this}}>{{/inline}}{{> row this}}{{/if}};', '<>;<1>;'],
])('a null in a list: %s', (inner, expected) => {
  const result = compileTemplate({ source: `{{#each list}}${inner}{{/each}}`, data: { list: [null, 1] } });
  expect(result).toMatchObject({ ok: true, value: { html: expected } });
});
