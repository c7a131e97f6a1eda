import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../../../plugins/render/browser/find-chromium.mjs';
import { onMongoAndS3 } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { isThorough } from '../../support/suite.ts';
import { until } from '../../support/until.ts';

const service = sharedService();
const executablePath = findChromium() ?? '';

describe.if(isThorough)('the API documentation page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  });
  afterAll(() => browser.close());

  test('lists all operations, runs one with a key, and does not violate its content security policy', async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    const response = await page.goto(`${service().url}/docs`);
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');

    await page.getByRole('heading', { name: /^Platen/ }).waitFor();
    await page.locator('.opblock').nth(9).waitFor();
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const bearer = page.locator('form', { hasText: 'apiKey (http' });
    await bearer.getByRole('textbox', { name: /auth-bearer/ }).fill(service().key);
    await bearer.getByRole('button', { name: 'Apply credentials' }).click();
    await bearer.getByRole('button', { name: 'Close' }).click();
    const operation = page.locator('.opblock', { hasText: '/v1/integrations/auth/test' });
    // Of a long document, Swagger UI renders only the operations near the window.
    await page.mouse.move(600, 450);
    await until(async () => {
      if ((await operation.count()) > 0) return true;
      await page.mouse.wheel(0, 500);
      return false;
    });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table .response');
    await answer.waitFor();
    expect(await answer.innerText()).toContain('"authenticated": true');
    const screenshot = process.env['DOCS_SCREENSHOT'];
    if (screenshot) await page.screenshot({ path: screenshot });
    expect(faults).toEqual([]);
    await page.close();
  });
});

describe.skipIf(isThorough)('security headers', () => {
  test.each([
    ['a response', '/v1/integrations/auth/test', "default-src 'none'; frame-ancestors 'none'"],
    ['an error', '/nothing', "default-src 'none'; frame-ancestors 'none'"],
    ['the metrics', '/metrics', "default-src 'none'; frame-ancestors 'none'"],
  ])('%s forbids sniffing, framing and loading', async (_, path, policy) => {
    const { headers } = await service().get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toBe(policy);
  });

  // With S3, the bucket serves the file.
  test.skipIf(onMongoAndS3)('a stored PDF is sandboxed and may be framed', async () => {
    const { body } = await service().post('/v1/generate', { html: 'x' });
    const { headers } = await fetch(body.url);
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
