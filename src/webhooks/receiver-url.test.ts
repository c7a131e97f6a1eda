import { describe, expect, test } from 'bun:test';
import { parseAllowList } from '../egress/destination.ts';
import { AppError } from '../errors.ts';
import { checkReceiverUrl, withoutQuery } from './receiver-url.ts';

const allow = parseAllowList(['127.0.0.1:9000', '[::1]:443', 'localhost:9000']);

function fault(url: string): string | undefined {
  try {
    checkReceiverUrl('webhook', url, allow);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).details[0]?.path).toBe('webhook');
    return (error as AppError).message;
  }
}

describe('the URL of a receiver', () => {
  test.each([
    'https://example.com',
    'http://example.com:8080/hook?token=1#part',
    'https://93.184.216.34/',
    'http://127.0.0.1:9000/hook',
    'http://0x7f.1:9000/hook',
    'https://[::1]/hook',
    'https://bücher.example/',
    'http://localhost:9000/hook',
    'https://localhost.example.com/',
    'http://internal/hook',
  ])('%s is accepted', (url) => {
    expect(fault(url)).toBeUndefined();
  });

  test.each([
    ['', 'must be a URL'],
    ['/hook', 'must be a URL'],
    ['http://', 'must be a URL'],
    ['http://exa mple.com/', 'must be a URL'],
    ['http://example.com:99999/', 'must be a URL'],
    ['file:///etc/passwd', 'http or https'],
    ['ftp://example.com/', 'http or https'],
    ['javascript:alert(1)', 'http or https'],
    ['http://user@example.com/', 'user name or password'],
    ['http://:word@example.com/', 'user name or password'],
    ['http://127.0.0.1/', 'must be on a public address'],
    ['http://127.0.0.1:9001/', 'must be on a public address'],
    ['http://2130706433/', 'must be on a public address'],
    ['http://0177.0.0.1/', 'must be on a public address'],
    ['http://127.0.0.1./', 'must be on a public address'],
    ['http://10.0.0.1/', 'must be on a public address'],
    ['http://[::ffff:127.0.0.1]/', 'must be on a public address'],
    ['http://[fd00::1]/', 'must be on a public address'],
    ['http://[::1]/', 'must be on a public address'],
    ['http://example.com:0/', 'must have a valid host and port (port out of range)'],
    [
      'http://localhost/hook',
      'must be on a public address, and localhost is not; the operator can allow it with EGRESS_ALLOW=localhost:80',
    ],
    ['https://localhost:9000./', 'must be a URL'],
    ['https://LOCALHOST./', 'EGRESS_ALLOW=localhost.:443'],
    ['http://hooks.localhost:9000/', 'EGRESS_ALLOW=hooks.localhost:9000'],
    ['http://2130706433:8080/', 'EGRESS_ALLOW=127.0.0.1:8080'],
  ])('%s is rejected', (url, says) => {
    expect(fault(url)).toContain(says);
  });

  test('is shown without query and fragment', () => {
    expect(withoutQuery('https://example.com:8443/a/b?token=1#part')).toBe('https://example.com:8443/a/b');
  });
});
