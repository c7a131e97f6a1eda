import { describe, expect, test } from 'bun:test';
import { startFaultySite } from '../../support/sites/faulty-site.ts';
import { extendedService } from '../../support/service/shared-service.ts';

const [site, otherSite] = [startFaultySite(), startFaultySite()];
const host = new URL(site).host;
const service = extendedService();

/** Generates a document. Returns `completed`, or the code and message of its failure. */
async function outcome(html: string, options: object): Promise<string> {
  const { body } = await service().post('/v1/generate', { html, options });
  const [detail] = body.error?.details ?? [];
  return detail ? `${detail.code ?? detail.path}: ${detail.message}` : body.status;
}

const image = (origin: string, name = 'gone.png') => `<img src="${origin}/${name}">`;
const script = '<script>nope()</script>';
const reason = 'the server responded with 404 (text/plain)';

describe('options.onAssetError and strict decide which faults fail a document:', () => {
  test.each([
    ['neither option', {}, 'completed', 'completed'],
    ['fail', { onAssetError: 'fail' }, 'ASSET_FAILED', 'completed'],
    ['ignore', { onAssetError: 'ignore' }, 'completed', 'completed'],
    ['strict', { strict: true }, 'ASSET_FAILED', 'SCRIPT_ERROR'],
    ['strict and ignore', { strict: true, onAssetError: 'ignore' }, 'completed', 'SCRIPT_ERROR'],
  ])('%s', async (_, options, ofMissingImage, ofFailedScript) => {
    expect(await outcome(image(site), options)).toStartWith(ofMissingImage);
    expect(await outcome(script, options)).toStartWith(ofFailedScript);
  });
});

describe('options.ignoreAssetHosts', () => {
  const fail = (...ignoreAssetHosts: string[]) => ({ onAssetError: 'fail', ignoreAssetHosts });

  test('ignores assets of a host and port', async () => {
    expect(await outcome(image(site), fail(host))).toBe('completed');
    expect(await outcome(image(site), { strict: true, ignoreAssetHosts: [host] })).toBe('completed');
    expect(await outcome(image(site) + image(otherSite), fail(host))).toBe(
      `ASSET_FAILED: ${otherSite}/gone.png: ${reason}`,
    );
  });

  test('ignores assets of a host, whatever the port', async () => {
    expect(await outcome(image(site) + image(otherSite), fail('127.0.0.1'))).toBe('completed');
    expect(await outcome(image(site), fail('example.com'))).toStartWith('ASSET_FAILED');
  });

  test('a host with more failures than a receipt lists does not hide another host', async () => {
    const many = Array.from({ length: 60 }, (_, index) => image(site, `gone-${index}.png`)).join('');
    expect(await outcome(many + image(otherSite), fail(host))).toStartWith('ASSET_FAILED');
    const same = image(site, 'words.png').repeat(60);
    expect(await outcome(same + image(otherSite, 'words.png'), fail(host))).toBe(
      `ASSET_FAILED: ${otherSite}/words.png: the file is not a valid image`,
    );
  });

  test('is rejected when no asset can fail a document, and when an entry is not a host', async () => {
    const only = 'options.ignoreAssetHosts: is only for onAssetError "fail" and for strict';
    expect(await outcome('x', { ignoreAssetHosts: [host] })).toBe(only);
    expect(await outcome('x', { strict: true, onAssetError: 'ignore', ignoreAssetHosts: [host] })).toBe(only);
    expect(await outcome('x', { strict: true, onAssetError: 'ignore', ignoreAssetHosts: [] })).toBe(
      'completed',
    );
    expect(await outcome('x', fail('a.example', 'https://b.example'))).toBe(
      'options.ignoreAssetHosts[1]: must be a host or host:port, such as "cdn.example.com", without a scheme',
    );
  });
});
