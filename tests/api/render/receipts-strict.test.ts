import { describe, expect, test } from 'bun:test';
import { startFaultySite } from '../../support/sites/faulty-site.ts';
import { completed } from '../../support/batch/batches.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { casesOfSuite } from '../../support/suite.ts';

const origin = startFaultySite();
const service = extendedService();

/** Returns the code and message of a rejected request, as its generation records them. */
const reasonOf = ({ error }: { error?: { details: { code: string; message: string }[] } }): string => {
  const [detail] = error?.details ?? [];
  return `${detail?.code}: ${detail?.message}`;
};

/** Creates a document whose text uses a font from a URL. */
const font = (url: string) =>
  `<style>@font-face { font-family: F; src: url(${url}) } p { font-family: F }</style><p>text`;

describe('options.strict', () => {
  const strict = { strict: true };

  const failing: [string, string, string | RegExp][] = [
    [
      'a missing image',
      `<img src="${origin}/gone.png">`,
      `ASSET_FAILED: ${origin}/gone.png: the server responded with 404 (text/plain)`,
    ],
    [
      'two missing images',
      `<img src="${origin}/a"><img src="${origin}/b">`,
      // The responses may arrive in either order.
      /^ASSET_FAILED: \S+\/[ab]: the server responded with 404 \(text\/plain\)$/,
    ],
    [
      'an image at a refused address',
      '<img src="http://10.0.0.1/x">',
      'ASSET_FAILED: http://10.0.0.1/x: the address is not public',
    ],
    [
      'a missing style sheet',
      `<link rel=stylesheet href="${origin}/x.css">`,
      `ASSET_FAILED: ${origin}/x.css: the server responded with 404 (text/plain)`,
    ],
    [
      'a file that is not an image',
      `<img src="${origin}/words.png">`,
      `ASSET_FAILED: ${origin}/words.png: the file is not a valid image`,
    ],
    [
      'a broken data: URI',
      '<img src="data:image/png;base64,AAAA">',
      'ASSET_FAILED: data:image/png,…: the file is not a valid image',
    ],
    [
      'an image with a relative URL',
      '<img src="logo.png?x">',
      'ASSET_FAILED: logo.png?…: relative URL: use an absolute URL or <base href>',
    ],
    [
      'a script with a relative URL',
      '<script src="/a.js"></script>',
      'ASSET_FAILED: /a.js: relative URL: use an absolute URL or <base href>',
    ],
    [
      'a style sheet with a relative URL',
      '<link rel="preload stylesheet" href="a.css">',
      'ASSET_FAILED: a.css: relative URL: use an absolute URL or <base href>',
    ],
    [
      'an image with an empty URL',
      '<img src="">',
      'ASSET_FAILED: a resource of type Image: the URL is empty',
    ],
    [
      'a missing font',
      font(`${origin}/gone.ttf`),
      `ASSET_FAILED: ${origin}/gone.ttf: the server responded with 404 (text/plain)`,
    ],
    [
      'a font without a CORS header',
      font(`${origin}/closed.ttf`),
      /closed\.ttf: the response has no Access-/,
    ],
    [
      'a file that is not a font',
      font(`${origin}/words.ttf`),
      'ASSET_FAILED: a resource of type Font: the font "F" has no usable source',
    ],
    [
      'a data: URI that is not a font',
      font('data:font/ttf;base64,AAAA'),
      'ASSET_FAILED: a resource of type Font: the font "F" has no usable source',
    ],
    [
      'a missing background',
      `<p style="background: url(${origin}/bg.png)">x`,
      `ASSET_FAILED: ${origin}/bg.png: the server responded with 404 (text/plain)`,
    ],
    [
      'a missing background in print styles',
      `<style>@media print { p { background: url(${origin}/print.png) } }</style><p>x`,
      `ASSET_FAILED: ${origin}/print.png: the server responded with 404 (text/plain)`,
    ],
    [
      'a redirect loop',
      `<img src="${origin}/loop">`,
      `ASSET_FAILED: ${origin}/loop: the server redirected more than 20 times`,
    ],
    [
      'a failing script',
      '<script>nope()</script>',
      'SCRIPT_ERROR: a script failed: Uncaught ReferenceError: nope is not defined',
    ],
  ];
  test.each(casesOfSuite(failing, 12))('fails the document for %s', async (_, html, reason) => {
    const { status, body } = await service().post('/v1/generate', { html, options: strict });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(reasonOf(body)).toMatch(reason);
    const lenient = await service().post('/v1/generate', { html });
    expect(lenient.status).toBe(200);
    // The browser page now has this resource in its cache.
    const again = await service().post('/v1/generate', { html, options: strict });
    expect(reasonOf(again.body)).toMatch(reason);
  });

  test('lists all missing images, and their number in the message', async () => {
    const html = `<img src="${origin}/a"><img src="${origin}/b">`;
    const { body } = await service().post('/v1/generate', { html, options: strict });
    expect(body.error.message).toEndWith('the server responded with 404 (text/plain), and 1 more');
    expect(body.error.details.map(({ message }: { message: string }) => message).toSorted()).toEqual(
      ['a', 'b'].map((name) => `${origin}/${name}: the server responded with 404 (text/plain)`),
    );
  });

  test('accepts a valid document', async () => {
    const html = `<link rel=stylesheet href="${origin}/moved.css"><script>console.error('only logged')</script><p>x`;
    expect((await service().post('/v1/generate', { html, options: strict })).status).toBe(200);
    expect((await service().post('/v1/generate', { html: '<p>x', options: strict })).status).toBe(200);
  });

  const sound = {
    'a request that its script aborted': `<script>const a = new AbortController(); fetch('${origin}/slow.png', { signal: a.signal }).catch(() => {}); setTimeout(() => a.abort(), 20)</script>`,
    'a beacon': `<script>navigator.sendBeacon('${origin}/gone', 'x')</script>`,
    'a relative URL with a base URL': `<base href="${origin}/there.css"><link rel=stylesheet href="moved.css">`,
    'an image without a src': '<img alt="none">',
    'an unused font': font(`${origin}/gone.ttf`).replace('p { font-family: F }', ''),
  };
  test.each(casesOfSuite(Object.entries(sound), 10))('accepts %s', async (_, html) => {
    const { body } = await service().post('/v1/generate', { html: `${html}<p>x`, options: strict });
    expect(body.error?.details).toBeUndefined();
  });

  test("fails a batch item; the receipt of the other item has its component's console output", async () => {
    const react =
      "export default () => { console.error('from a component'); return <img src='data:image/png;base64,AAAA'/> }";
    const items = [{ react, options: strict }, { react }];
    const accepted = await service().post('/v1/generate/batch', { items });
    const { body } = accepted;
    expect(accepted.status).toBe(202);
    await completed(service(), accepted);
    const read = (index: number) =>
      service().get(`/v1/generations/${body.generations[index].id}?receipt=true`);
    const [first, second] = [(await read(0)).body, (await read(1)).body];
    expect(first.error).toBe('ASSET_FAILED: data:image/png,…: the file is not a valid image');
    expect(second.status).toBe('completed');
    expect(second.receipt.console.entries).toEqual([{ level: 'error', text: 'from a component' }]);
    expect(Object.keys(second.receipt.phases)).toContain('react');
  });
});
