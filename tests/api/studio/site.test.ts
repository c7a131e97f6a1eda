import { expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

test('the studio is served at / and at the URL of each view, and its files exist', async () => {
  const open = (path: string) => fetch(service().url + path, { redirect: 'manual' });
  const pages = ['/', '/studio', '/studio/templates/tpl_x?tab=1', '/studio/link/some-token'].map(open);
  for (const page of await Promise.all(pages)) {
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  }
  const html = await (await open('/')).text();
  expect(html).not.toContain('__CSP_NONCE__');
  const files = [...html.matchAll(/(?:src|href)="(\/studio\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(files.length).toBeGreaterThan(1);
  for (const path of files) {
    const file = await open(path);
    expect(file.status).toBe(200);
    expect(file.headers.get('cache-control')).toContain('immutable');
  }
  for (const path of ['/studio/assets/none.js', '/studio/assets/..%2findex.html', '/studio/api/none'])
    expect((await open(path)).status).toBe(404);
});

test('no path or parameter redirects to another site', async () => {
  const paths = [
    '//evil.example/studio',
    '/studio//evil.example',
    '/studio/%2f%2fevil.example',
    '/studio/sign-in?next=https://evil.example&redirect=//evil.example&url=https://evil.example',
    '/studio/link/x?return_to=https://evil.example',
    '/studio/api/session?next=https://evil.example',
    String.raw`/studio/\evil.example`,
  ];
  for (const path of paths) {
    const answer = await fetch(`${service().url}${path}`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBeNull();
    expect([200, 404]).toContain(answer.status);
  }
});
