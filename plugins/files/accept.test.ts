import { expect, test } from 'bun:test';
import { prefersToJson } from './accept.ts';

test.each([
  [null, false],
  ['', false],
  ['*/*', false],
  ['application/*', false],
  ['application/json', false],
  ['application/pdf', true],
  ['Application/PDF ; Q=0.5', true],
  ['application/pdf, application/json', false],
  ['application/json, application/pdf', false],
  ['application/pdf, */*', false],
  ['application/pdf, */*;q=0.8', true],
  ['application/pdf;q=0.9, application/json', false],
  ['application/pdf;q=0.9, application/json;q=0.8', true],
  ['application/pdf, application/*;q=0.9', true],
  ['application/pdf;q=0', false],
  ['*/*, application/json;q=0.1', true],
  ['text/html, application/xhtml+xml, */*;q=0.8', false],
  ['application/pdf;q=2', false],
  ['application/pdf;q=x', false],
  [','.repeat(5_000), false],
])('Accept: %p prefers a PDF: %p', (accept, preferred) => {
  expect(prefersToJson(accept, 'application/pdf')).toBe(preferred);
});
