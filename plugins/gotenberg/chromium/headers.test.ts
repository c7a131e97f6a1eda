import { describe, expect, test } from 'bun:test';
import { readHeaders } from './headers.ts';

const read = (headers: Record<string, string>) => readHeaders(JSON.stringify(headers));

describe('extraHttpHeaders', () => {
  test('go to all URLs without a scope', () => {
    expect(read({ 'X-A': 'a', 'X-B': 'b; c=d' })).toEqual([
      { name: 'X-A', value: 'a', appliesTo: undefined },
      { name: 'X-B', value: 'b;  c=d', appliesTo: undefined },
    ]);
  });

  test('go to the URLs that match their scope', () => {
    const [header] = read({ 'X-A': 'a; Scope = https?://([a-z0-9-]+\\.)*example\\.com/.*' });
    expect(header?.value).toBe('a');
    expect(header?.appliesTo?.('https://cdn.example.com/a.css')).toBe(true);
    expect(header?.appliesTo?.('https://example.org/')).toBe(false);
  });

  test.each<[headers: Record<string, string>, message: string]>([
    [{ foo: 'bar;scope;;' }, "invalid scope '' for header 'foo'"],
    [
      { foo: 'bar;scope=*.' },
      "invalid scope regex pattern for header 'foo': error parsing regexp: missing argument to repetition operator in `*.`",
    ],
    [{ foo: `bar;scope=${'a'.repeat(1025)}` }, 'got 1025 characters, expected at most 1024'],
    [{ foo: 'bar;scope=(.*){50}(.*){50}(.*){50}(.*){50}(.*){50}(.*){50}' }, 'is too complex'],
    [{ foo: `bar;scope=${'a{1000}'.repeat(100)}` }, 'is too complex'],
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

  test('are matched in linear time', () => {
    const [header] = read({ 'X-A': 'a;scope=^(([a-z])+.)+[A-Z]([a-z])+$' });
    const startedAt = performance.now();
    expect(header?.appliesTo?.(`http://example.com/${'a'.repeat(100_000)}`)).toBe(false);
    // A backtracking engine would need longer than the universe exists.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
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
