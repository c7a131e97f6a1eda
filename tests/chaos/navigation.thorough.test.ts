import { expect, test } from 'bun:test';
import { pdfText, toolsAvailable } from '../support/pdf/pdf.ts';
import { extendedService } from '../support/service/shared-service.ts';
import { allowedPort } from '../support/sites/allowed-ports.ts';

const site = Bun.serve({
  hostname: '127.0.0.1',
  port: allowedPort(),
  fetch: () => new Response('<p>another page</p>', { headers: { 'content-type': 'text/html' } }),
});
site.unref();
const blocked = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('<p>blocked</p>') });
blocked.unref();

const service = extendedService();

const allowedUrl = `http://127.0.0.1:${site.port}/`;
const blockedUrl = `http://127.0.0.1:${blocked.port}/`;

/** Ways in which a document navigates to another address, and the start of the resulting error. */
const navigations: Record<string, [html: string, says: string]> = {
  'a script to a blocked address': [
    `<p>text</p><script>location = '${blockedUrl}'</script>`,
    `the document navigates to ${blockedUrl}, which is refused: `,
  ],
  'a refresh to a blocked address': [
    `<meta http-equiv="refresh" content="0;url=${blockedUrl}"><p>text</p>`,
    `the document navigates to ${blockedUrl}, which is refused: `,
  ],
  'a refresh to a blocked address over TLS': [
    `<meta http-equiv="refresh" content="0;url=https://127.0.0.1:${blocked.port}/"><p>text</p>`,
    `the document navigates to https://127.0.0.1:${blocked.port}/, which is refused: `,
  ],
  'a script to an application': [
    "<p>text</p><script>location = 'intent://scan/#Intent;scheme=zxing;end'</script>",
    'the document navigates to intent://scan/, which is not a web page',
  ],
  'a form to a blocked address': [
    `<form action="${blockedUrl}"></form><script>document.forms[0].submit()</script>`,
    `the document navigates to ${blockedUrl}?…, which is refused: `,
  ],
};

test.each(Object.entries(navigations))(
  'a document that navigates with %s fails, and the error names the address',
  async (_name, [html, says]) => {
    const { status, body } = await service().post('/v1/generate', { html });
    expect([status, body.error?.details[0].code]).toEqual([400, 'NAVIGATION_BLOCKED']);
    expect(body.error.details[0].message).toContain(says);
  },
  60_000,
);

test('a document that navigates to an allowed address prints that page', async () => {
  const { status, body } = await service().post('/v1/generate', {
    html: `<p>text</p><script>location = '${allowedUrl}'</script>`,
  });
  expect(status).toBe(200);
  if (toolsAvailable) expect(await pdfText(await service().download(body.url))).toContain('another page');
});

test("the account's next document is not affected", async () => {
  const { status, body } = await service().post('/v1/generate', { html: '<p>after</p><script></script>' });
  expect(status).toBe(200);
  if (toolsAvailable) expect(await pdfText(await service().download(body.url))).toContain('after');
});
