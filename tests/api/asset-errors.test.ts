import { describe, expect, test } from 'bun:test';
import { startFaultySite } from '../support/faulty-site.ts';
import { sharedService } from '../support/shared-service.ts';

const [one, other] = [startFaultySite(), startFaultySite()];
const host = new URL(one).host;
const service = sharedService({ env: { EGRESS_ALLOW: `${host},${new URL(other).host}` } });

/** Generates a document. Returns `completed`, or the code and message of its failure. */
async function outcome(html: string, options: object): Promise<string> {
  const { body } = await service().post('/v1/generate', { html, options });
  const [detail] = body.error?.details ?? [];
  return detail ? `${detail.code ?? detail.path}: ${detail.message}` : body.status;
}

const image = (origin: string, name = 'gone.png') => `<img src="${origin}/${name}">`;
const script = '<script>nope()</script>';
const reason = 'the server responded with 404 (text/plain)';

describe('options.onAssetError', () => {
  test.each([
    ['nothing', {}, 'completed', 'completed'],
    ['fail', { onAssetError: 'fail' }, 'ASSET_FAILED', 'completed'],
    ['ignore', { onAssetError: 'ignore' }, 'completed', 'completed'],
    ['strict', { strict: true }, 'ASSET_FAILED', 'SCRIPT_ERROR'],
    ['strict and ignore', { strict: true, onAssetError: 'ignore' }, 'completed', 'SCRIPT_ERROR'],
  ])('%s', async (_, options, missing, thrown) => {
    expect(await outcome(image(one), options)).toStartWith(missing);
    expect(await outcome(script, options)).toStartWith(thrown);
  });
});

describe('options.ignoreAssetHosts', () => {
  const fail = (...ignoreAssetHosts: string[]) => ({ onAssetError: 'fail', ignoreAssetHosts });

  test('ignores assets of a host and port', async () => {
    expect(await outcome(image(one), fail(host))).toBe('completed');
    expect(await outcome(image(one), { strict: true, ignoreAssetHosts: [host] })).toBe('completed');
    expect(await outcome(image(one) + image(other), fail(host))).toBe(
      `ASSET_FAILED: ${other}/gone.png: ${reason}`,
    );
  });

  test('ignores assets of a host, whatever the port', async () => {
    expect(await outcome(image(one) + image(other), fail('127.0.0.1'))).toBe('completed');
    expect(await outcome(image(one), fail('example.com'))).toStartWith('ASSET_FAILED');
  });

  test('a host with more failures than a receipt lists does not hide another one', async () => {
    const many = Array.from({ length: 60 }, (_, index) => image(one, `gone-${index}.png`)).join('');
    expect(await outcome(many + image(other), fail(host))).toStartWith('ASSET_FAILED');
    const same = image(one, 'words.png').repeat(60);
    expect(await outcome(same + image(other, 'words.png'), fail(host))).toBe(
      `ASSET_FAILED: ${other}/words.png: the file is not a valid image`,
    );
  });

  test('is rejected when no asset fails a document, and for what is not a host', async () => {
    const only = 'options.ignoreAssetHosts: is only for onAssetError "fail" and for strict';
    expect(await outcome('x', { ignoreAssetHosts: [host] })).toBe(only);
    expect(await outcome('x', { strict: true, onAssetError: 'ignore', ignoreAssetHosts: [] })).toBe(only);
    expect(await outcome('x', fail('a.example', 'https://b.example'))).toBe(
      'options.ignoreAssetHosts[1]: must be a host or host:port, such as "cdn.example.com", without a scheme',
    );
  });
});
