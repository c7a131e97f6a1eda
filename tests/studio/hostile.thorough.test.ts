import { afterAll, beforeAll, expect, test } from 'bun:test';
import { issue } from '../../packages/signatures/tests/certificates.ts';
import { pkcs12Of } from '../../packages/signatures/tests/pkcs12.ts';
import { openScreen, type Screen } from './open-screen.ts';
import { StudioBrowser } from './browser.ts';

let browser: StudioBrowser;

beforeAll(async () => {
  browser = await StudioBrowser.start();
}, 60_000);

afterAll(() => browser?.[Symbol.asyncDispose]());

const MARKUP = '"><img src=x onerror=owned=1><script>owned=1</script>';
const LONG = 'Unbreakable'.repeat(7);
const NAME = `${MARKUP}${LONG.slice(0, 40)}`;

interface Identified {
  id: string;
}

test('names, files, references, addresses and receipts with markup or without spaces stay text and fit', async () => {
  const email = `<img/src=x/onerror=owned=1>${LONG}@example.com`;
  const visitor = await browser.signIn({ email: 'hostile@example.com', role: 'operator', width: 360 });
  const { page } = visitor;
  await visitor.api('POST', '/studio/api/accounts', { email });
  await visitor.api('POST', '/studio/api/keys', { name: NAME });
  const template = await visitor.api<Identified>('POST', '/v1/templates', {
    name: NAME,
    category: 'other',
    html_content: `<p>{{name}}</p>`,
    sample_data: { name: MARKUP },
  });
  const { id } = await visitor.api<Identified>('POST', '/v1/generate', {
    html: `<img src="https://127.0.0.1/${LONG}"><script>console.error(${JSON.stringify(NAME).replaceAll('</', '<\\/')}); throw new Error(${JSON.stringify(NAME).replaceAll('</', '<\\/')})</script>`,
    file_name: `<img src=x onerror=owned=1>${LONG.slice(0, 60)}`,
    reference: NAME,
    metadata: { [MARKUP.slice(0, 30)]: NAME },
  });
  const authority = issue({ name: 'CA', kind: 'p256', isAuthority: true });
  const signer = issue({ name: MARKUP, kind: 'p256', issuer: authority });
  const pkcs12 = pkcs12Of(signer, []).toString('base64');
  await visitor.api('POST', '/v1/certificates', { name: NAME, pkcs12 });
  await visitor.api('POST', `/v1/marketplace/${template.id}/publish`);
  await visitor.api('POST', '/v1/webhook-endpoints', {
    url: `https://example.com/${LONG}?${encodeURIComponent(MARKUP)}`,
    events: ['webhook_endpoint.*'],
    description: NAME,
  });
  const screens: Screen[] = [
    '/',
    '/studio/templates',
    '/studio/generations',
    `/studio/generations/${id}`,
    '/studio/marketplace',
    '/studio/keys',
    '/studio/certificates',
    '/studio/accounts',
    '/studio/security',
    '/studio/webhooks',
    '/studio/webhooks?list=events',
    '/studio/audit',
    '/studio/usage',
  ].map((path) => ({ name: path, path }));
  const tooWide: string[] = [];
  for (const screen of screens) {
    await openScreen(page, screen);
    if (await visitor.overflows()) tooWide.push(screen.path);
    expect(await page.evaluate(() => 'owned' in window)).toBe(false);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  }
  expect(tooWide).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/studio/templates/${template.id}`);
  await page.getByText(/^Printed in/).waitFor();
  expect(await page.evaluate(() => 'owned' in window)).toBe(false);
  expect(visitor.offences).toEqual([]);
}, 60_000);
