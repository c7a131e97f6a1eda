import { expect, test } from 'bun:test';
import { redactUrl } from './redact-url.ts';

test.each([
  ['https://example.com/a.png', 'https://example.com/a.png'],
  ['https://user:word@example.com/a', 'https://example.com/a'],
  ['https://example.com/a?key=secret#b', 'https://example.com/a?…'],
  ['https://example.com/a#secret', 'https://example.com/a'],
  ['https://example.com/@a', 'https://example.com/@a'],
  ['data:image/png;base64,AAAA', 'data:image/png,…'],
])('%s is logged as %s', (url, redacted) => {
  expect(redactUrl(url)).toBe(redacted);
});

test('long URLs are truncated and reveal neither user nor query', () => {
  const long = 'x'.repeat(1_000_000);
  expect(redactUrl(`https://example.com/${long}`)).toBe(`https://example.com/${'x'.repeat(180)}…`);
  expect(redactUrl(`https://${long}:word@example.com/`)).toBe('https://');
  expect(redactUrl(`https://example.com/?${long}`)).toBe('https://example.com/?…');
  expect(redactUrl(`data:text/html,${long}`)).toBe('data:text/html,…');
});
