import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSite, type Site } from './site.ts';

let folder = '';
let site: Site;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  expect(await openSite(folder)).toBeNull();
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">');
  await writeFile(join(folder, 'assets', 'main-1a2b.js'), 'console.log(1);'.repeat(100));
  await writeFile(join(folder, 'assets', 'logo-3c4d.png'), 'not compressed');
  await writeFile(join(folder, 'assets', 'notes.txt'), 'no type');
  const opened = await openSite(folder);
  if (!opened) throw new Error('the site was not found');
  site = opened;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the page', () => {
  test('has a new nonce in each response, which allows style sheets only', async () => {
    const nonces = await Promise.all(
      [site.page(), site.page()].map(async (page) => {
        const nonce = /content="(\w{22})"/.exec(await page.text())?.[1] ?? '';
        const policy = page.headers.get('content-security-policy') ?? '';
        expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
        expect(policy).toContain("default-src 'none'; script-src 'self'; ");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain('unsafe');
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });
});

describe('a file', () => {
  test('may be cached by browsers, and is compressed for those that accept gzip', async () => {
    const plain = await site.asset('main-1a2b.js', null);
    expect(plain?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const text = await plain?.text();
    const compressed = await site.asset('main-1a2b.js', 'br, gzip;q=0.5');
    expect(compressed?.headers.get('content-encoding')).toBe('gzip');
    const bytes = (await compressed?.bytes()) ?? new Uint8Array();
    expect(bytes.length).toBeLessThan(text?.length ?? 0);
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text ?? '');
    const refused = await site.asset('main-1a2b.js', 'gzip;q=0');
    expect(refused?.headers.get('content-encoding')).toBeNull();
    const image = await site.asset('logo-3c4d.png', 'gzip');
    expect(image?.headers.get('content-encoding')).toBeNull();
  });

  test('is served only under its exact name and with a known extension', async () => {
    for (const name of ['../index.html', 'notes.txt', '', 'constructor', 'main-1a2b'])
      expect(await site.asset(name, null)).toBeNull();
  });
});
