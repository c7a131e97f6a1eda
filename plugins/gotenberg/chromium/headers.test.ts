import { describe, expect, test } from 'bun:test';
import { messageOf } from '../../../src/errors.ts';
import { findFault, matchUrls } from '../../render/url-patterns/task.ts';
import { readHeaders, readUserAgent, toPageHeaders } from './headers.ts';

const read = (headers: Record<string, string>) => readHeaders(JSON.stringify(headers));

/** Returns the headers of a page, whose scopes are matched here instead of in the sandbox. */
const toPage = async (given: Record<string, string>) => {
  const readUrlPatterns = async (patterns: readonly string[]) => {
    const fault = findFault({ patterns });
    return fault
      ? { fault }
      : { match: async (url: string) => matchUrls({ urls: [url], patterns })[0] ?? [] };
  };
  return toPageHeaders(read(given), { render: { readUrlPatterns }, given: JSON.stringify(given) });
};

describe('extraHttpHeaders', () => {
  test('go to all URLs without a scope', async () => {
    expect(await toPage({ 'X-A': 'a', 'X-B': 'b; c=d' })).toEqual([
      { name: 'X-A', value: 'a' },
      { name: 'X-B', value: 'b;  c=d' },
    ]);
  });

  test('go to the URLs that match their scope', async () => {
    const [header] = await toPage({ 'X-A': 'a; Scope = https?://([a-z0-9-]+\\.)*example\\.com/.*' });
    expect(header?.value).toBe('a');
    expect(await header?.appliesTo?.('https://cdn.example.com/a.css')).toBe(true);
    expect(await header?.appliesTo?.('https://example.org/')).toBe(false);
  });

  test('with a scope that takes too long to match are not sent', async () => {
    const match = async () => {
      throw new Error('it took too long');
    };
    const render = { readUrlPatterns: async () => ({ match }) };
    const [header] = await toPageHeaders(read({ 'X-A': 'a;scope=b' }), { render, given: '' });
    expect(await header?.appliesTo?.('https://example.com/b')).toBe(false);
  });

  test.each<[headers: Record<string, string>, message: string]>([
    [
      { foo: 'bar;scope=*.' },
      '(got \'{"foo":"bar;scope=*."}\', resulting to invalid scope regex pattern for header \'foo\': error parsing regexp: missing argument to repetition operator in `*.`)',
    ],
    [
      { a: 'b;scope=c', foo: 'bar;scope=(.*){50}(.*){50}(.*){50}(.*){50}(.*){50}(.*){50}' },
      "resulting to scope regex pattern for header 'foo' is too complex)",
    ],
  ])('with the scopes of %o are refused', async (headers, message) => {
    const fault = await toPage(headers).then(() => '', messageOf);
    expect(fault).toStartWith("Invalid form data: form field 'extraHttpHeaders' is invalid");
    expect(fault).toEndWith(message);
  });

  test.each<[headers: Record<string, string>, message: string]>([
    [{ foo: 'bar;scope;;' }, "invalid scope '' for header 'foo'"],
    [{ foo: `bar;scope=${'a'.repeat(1025)}` }, 'got 1025 characters, expected at most 1024'],
    [{ Host: 'example.com' }, "header 'Host' is not allowed"],
    [{ 'Proxy-Authorization': 'x' }, "header 'Proxy-Authorization' is not allowed"],
    [{ 'X-A': 'a\r\nX-B: b' }, "invalid value of header 'X-A'"],
    [{ 'X A': 'a' }, "invalid name of header 'X A'"],
  ])('%o are refused', (headers, message) => {
    expect(() => read(headers)).toThrow(message);
  });

  test('are at most 64, and their scopes are limited together', () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`X-${index}`, 'a']));
    expect(() => read(many)).toThrow('too many headers, got 65, expected at most 64');
    const scopes = Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [`X-${index}`, `a;scope=${'a'.repeat(1000)}`]),
    );
    expect(() => read(scopes)).toThrow('at most 4096 characters in all scopes together');
  });

  test('are matched in linear time', async () => {
    const [header] = await toPage({ 'X-A': 'a;scope=^(([a-z])+.)+[A-Z]([a-z])+$' });
    const startedAt = performance.now();
    expect(await header?.appliesTo?.(`http://example.com/${'a'.repeat(100_000)}`)).toBe(false);
    // A backtracking engine would need longer than the universe exists.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('of the browser must be values of headers', () => {
    expect(readUserAgent('Mozilla/5.0 (X11)')).toBe('Mozilla/5.0 (X11)');
    expect(() => readUserAgent('a\r\nX-B: b')).toThrow("invalid value of header 'User-Agent'");
    expect(() => readUserAgent('\u{1f9fe}')).toThrow("invalid value of header 'User-Agent'");
  });

  test('must be a JSON object of texts', () => {
    expect(() => readHeaders('foo')).toThrow(
      "unmarshal extraHttpHeaders: invalid character 'o' in literal false (expecting 'a')",
    );
    expect(() => readHeaders('["a"]')).toThrow(
      'unmarshal extraHttpHeaders: json: cannot unmarshal array into Go value of type map[string]string',
    );
  });
});
