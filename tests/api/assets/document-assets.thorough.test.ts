import { expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { describeWithPdfTools, pdfText, rasterise } from '../../support/pdf/pdf.ts';
import { onePixelPng } from '../../support/pdf/one-pixel-png.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { TestService } from '../../support/service/service.ts';

const service = sharedService();
const DPI = 20;
const pixel = (grey: number) => onePixelPng(grey, grey, grey).toString('base64');
const css = (text: string) => Buffer.from(text).toString('base64');

async function upload(name: string, data: string, key?: string): Promise<void> {
  const { status, body } = await service().post('/v1/assets', { name, data }, key);
  if (status !== 201) throw new Error(JSON.stringify(body));
}

async function print(body: object, key?: string) {
  const { body: made, status } = await service().post('/v1/generate', body, key);
  if (status !== 200) throw new Error(JSON.stringify(made));
  const { receipt } = (await service().get(`/v1/generations/${made.id}?receipt=true`, key)).body;
  return { pdf: await service().download(made.url), receipt };
}

/** Returns the grey value one inch from the upper left corner of the first page. */
async function shade(pdf: Uint8Array): Promise<number> {
  const [page] = await rasterise(pdf, { dpi: DPI });
  if (!page) throw new Error('no page');
  return page.data[(DPI * page.width + DPI) * 4] ?? Number.NaN;
}

const box =
  '<style>body { margin: 0 } .box { width: 4in; height: 4in; display: block; print-color-adjust: exact }</style>';

/**
 * Documents whose black box is an asset, keyed by how they load it, and the class in which they are printed.
 */
const ways: Record<string, [documentClass: 'plain' | 'active' | 'any', html: string]> = {
  image: ['plain', `${box}<img class="box" src="asset:black.png">`],
  'image without quotes, in capitals': ['plain', `${box}<IMG CLASS=box SRC=ASSET:black.png>`],
  'lazy image': ['plain', `${box}<img class="box" loading="lazy" src="asset:black.png">`],
  'image set': ['plain', `${box}<img class="box" srcset="asset:black.png 1x, asset:missing.png 3x">`],
  'encoded name': ['plain', `${box}<img class="box" src="asset:b%20l&amp;%61ck (1).png">`],
  'style attribute': ['plain', `${box}<div class="box" style="background: url(asset:black.png)"></div>`],
  'style element': [
    'plain',
    `${box}<style>.box { background: url( "asset:black.png" ) }</style><div class="box"></div>`,
  ],
  'svg image': [
    'plain',
    `${box}<svg class="box" viewBox="0 0 1 1"><image href="asset:black.png" width="1" height="1"/></svg>`,
  ],
  'style sheet': ['active', `${box}<link rel="stylesheet" href="asset:relative.css"><div class="box"></div>`],
  'style sheet with asset: URLs': [
    'active',
    `${box}<link rel="stylesheet" href="asset:absolute.css"><div class="box"></div>`,
  ],
  'import of a style sheet': [
    'active',
    `<style>@import "asset:relative.css";</style>${box}<div class="box"></div>`,
  ],
  // The class is plain only if the browser page has cached the image.
  'print styles': [
    'any',
    `${box}<style>@media print { .box { background: image-set("asset:black.png" 1x) } }</style><div class="box"></div>`,
  ],
  'escaped URL': ['active', `${box}<div class="box" style="background: u\\72l(asset:black.png)"></div>`],
  'image of a script': [
    'active',
    `${box}<body><script>const i = new Image(); i.className = 'box'; i.src = 'as' + 'set:black.png'; document.body.append(i)</script>`,
  ],
  'style sheet of a script': [
    'active',
    `${box}<div class="box"></div><script>const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = 'asset:relative.css'; document.head.append(l)</script>`,
  ],
};

async function uploadAll(grey: number, key?: string): Promise<void> {
  await upload('black.png', pixel(grey), key);
  await upload('b l&ack (1).png', pixel(grey), key);
  await upload('relative.css', css('.box { background: url(black.png) }'), key);
  await upload('absolute.css', css('.box { background: url("asset:black.png") }'), key);
}

describeWithPdfTools('an asset is loaded and shown:', () => {
  // Later rounds may use a browser page that has cached the asset.
  test.each(Object.entries(ways))('%s, every time', async (_, [documentClass, html]) => {
    await uploadAll(0);
    for (let time = 1; time <= 2; time += 1) {
      const { pdf, receipt } = await print({ html, options: { margin: '0', strict: true } });
      expect(await shade(pdf)).toBe(0);
      if (documentClass !== 'any') expect(receipt.class).toBe(documentClass);
    }
  });

  test('in a document that is too large to be classified', async () => {
    await uploadAll(0);
    const html = `${box}<img class="box" src="asset:black.png"><!-- ${'x'.repeat(500_000)} -->`;
    const { pdf, receipt } = await print({ html, options: { margin: '0', strict: true } });
    expect([receipt.class, await shade(pdf)]).toEqual(['active', 0]);
  });

  test('in templates, by the helper `asset` and by its URL', async () => {
    await uploadAll(0);
    const html = `${box}<img class="box" src="{{asset name}}">`;
    const { pdf } = await print({
      html,
      data: { name: 'b l&ack (1).png' },
      options: { margin: '0', strict: true },
    });
    expect(await shade(pdf)).toBe(0);
    const background = `${box}<div class="box" style="background: url({{asset name}})"></div>`;
    const data = { name: 'b l&ack (1).png' };
    const second = await print({ html: background, data, options: { margin: '0', strict: true } });
    expect(await shade(second.pdf)).toBe(0);
  });

  test('in header and footer', async () => {
    await uploadAll(0);
    const image =
      '<img src="asset:black.png" style="display: block; width: 2in; height: 1in; margin-left: 1in">';
    for (const html of ['<p>text', '<script>1</script><p>text']) {
      const { pdf } = await print({
        html,
        options: { margin: '0', strict: true, header: image, footer: `<div>${image}{{pageNumber}}</div>` },
      });
      const [page] = await rasterise(pdf, { dpi: DPI });
      if (!page) throw new Error('no page');
      const grey = (x: number, y: number) => page.data[(y * page.width + x) * 4];
      // 0.2 in from the edge, one inch high.
      expect([grey(40, 14), grey(40, page.height - 16), grey(40, page.height / 2)]).toEqual([0, 0, 255]);
    }
  });

  test('in a batch and in a preview', async () => {
    await uploadAll(0);
    const html = `${box}<img class="box" src="asset:black.png">`;
    const options = { margin: '0', strict: true };
    const batch = await completed(service(), await submit(service(), [{ html, options }]));
    const { url } = (await service().get(`/v1/generations/${batch.generations[0].id}`)).body;
    expect(await shade(await service().download(url))).toBe(0);
    const preview = await service().post('/v1/templates/preview', {
      html_content: html,
      options,
      output: 'base64',
    });
    expect(await shade(Buffer.from(preview.body.data, 'base64'))).toBe(0);
  });
});

describeWithPdfTools('a replaced asset', () => {
  test.each(Object.entries(ways))('is shown at once: %s', async (_, [, html]) => {
    const key = await service().newKey();
    for (const grey of [0, 153, 51]) {
      await uploadAll(grey, key);
      const { pdf } = await print({ html, options: { margin: '0', strict: true } }, key);
      expect(await shade(pdf)).toBe(grey);
    }
  });
});

describeWithPdfTools('an account sees only its own assets', () => {
  test.each(Object.entries(ways))('%s', async (_, [, html]) => {
    const [ann, bob, eve] = await Promise.all([1, 2, 3].map(() => service().newKey()));
    await uploadAll(0, ann);
    await uploadAll(153, bob);
    const options = { margin: '0' };
    for (let round = 1; round <= 3; round += 1) {
      expect(await shade((await print({ html, options }, ann)).pdf)).toBe(0);
      expect(await shade((await print({ html, options }, bob)).pdf)).toBe(153);
      // Eve has no assets, whatever the browser has loaded before.
      const { pdf, receipt } = await print({ html, options }, eve);
      expect(await shade(pdf)).toBe(255);
      expect(receipt.resources.entries[0]).toMatchObject({
        outcome: 'failed',
        url: expect.stringMatching(/^asset:/),
      });
    }
  });

  test('concurrent batches show the assets of their own accounts', async () => {
    const [ann, bob] = await Promise.all([1, 2].map(() => service().newKey()));
    await uploadAll(0, ann);
    await uploadAll(153, bob);
    const html = `${box}<img class="box" src="asset:black.png">`;
    const item = { html, options: { margin: '0' } };
    const batches = await Promise.all(
      [ann, bob].map(async (key) => {
        const items = Array.from({ length: 8 }, () => item);
        return completed(
          service(),
          await submit(service(), items, { ...(key !== undefined && { key }) }),
          key,
        );
      }),
    );
    for (const [index, key] of [ann, bob].entries()) {
      for (const { id } of batches[index].generations) {
        const { url } = (await service().get(`/v1/generations/${id}`, key)).body;
        expect(await shade(await service().download(url))).toBe(index === 0 ? 0 : 153);
      }
    }
  });

  test('the URL that a page uses shows nothing to other accounts', async () => {
    const [ann, eve] = await Promise.all([1, 2].map(() => service().newKey()));
    await uploadAll(0, ann);
    const script =
      '<img src="asset:black.png"><p id="p"></p><script>p.textContent = document.images[0].src</script>';
    const leaked = (await pdfText((await print({ html: script }, ann)).pdf)).trim().replaceAll(/\s/g, '');
    expect(leaked).toMatch(/^https:\/\/assets\.platen\.invalid\/\w{32}\/black\.png$/);
    for (const html of [
      `${box}<img class="box" src="${leaked}">`,
      `${box}<div class="box" style="background: u\\72l(${leaked})"></div>`,
      `${box}<script></script><img class="box" src="${leaked}">`,
    ]) {
      await print({ html: `${box}<img class="box" src="asset:black.png">` }, ann);
      const { pdf, receipt } = await print({ html, options: { margin: '0' } }, eve);
      expect(await shade(pdf)).toBe(255);
      expect(receipt.resources.entries[0].outcome).toBe('failed');
      await upload('other.png', pixel(51), eve);
      expect(await shade((await print({ html, options: { margin: '0' } }, eve)).pdf)).toBe(255);
    }
  });
});

describeWithPdfTools('a missing asset', () => {
  test.each([
    ['plain document', '<p>text<img src="asset:missing.png">', {}],
    ['active document', '<script></script><img src="asset:missing.png">', {}],
    ['header', '<p>text', { header: '<img src="asset:missing.png">' }],
    ['footer of an active document', '<script></script>', { footer: '<img src="asset:missing.png">' }],
  ])('in a %s appears in the receipt with a reason', async (_, html, options) => {
    const { receipt } = await print({ html, options });
    expect(receipt.resources.entries).toEqual([
      expect.objectContaining({
        url: 'asset:missing.png',
        outcome: 'failed',
        reason: 'no asset named "missing.png"',
      }),
    ]);
    const strict = await service().post('/v1/generate', { html, options: { ...options, strict: true } });
    expect([strict.status, strict.body.error.message]).toEqual([
      400,
      expect.stringContaining('asset:missing.png: no asset named "missing.png"'),
    ]);
  });
});

describeWithPdfTools('asset:', () => {
  test('in text and code stays as it is', async () => {
    const html = '<p>asset: 12 asset:logo.png</p><code>url(asset:logo.png)</code>';
    const { pdf, receipt } = await print({ html });
    expect(await pdfText(pdf)).toContain('asset: 12 asset:logo.png');
    expect(await pdfText(pdf)).toContain('url(asset:logo.png)');
    expect(receipt.resources.entries).toEqual([]);
    expect(receipt.class).toBe('plain');
  });

  test('is a URL that does not load without the plugin', async () => {
    await using own = await TestService.start({ config: { plugins: { assets: false } } });
    const { body, status } = await own.post('/v1/generate', {
      html: '<img src="asset:a.png">',
      options: { strict: true },
    });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('asset:a.png')]);
    expect((await own.get('/v1/assets')).status).toBe(404);
  });
});

test('an asset is never requested from the network, whatever its name looks like', async () => {
  const hits: string[] = [];
  using site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      hits.push(request.url);
      return new Response('');
    },
  });
  const host = `127.0.0.1:${site.port}`;
  await using own = await TestService.start({ env: { EGRESS_ALLOW: host } });
  await own.post('/v1/assets', { name: 'a.png', data: pixel(0) });
  const names = [
    `//${host}/1`,
    `http://${host}/2`,
    `@${host}/3`,
    `..@${host}/4`,
    `%2f%2f${host}/5`,
    `\\\\${host}/6`,
  ];
  const images = names.map((name) => `<img src="asset:${name}"><link rel="stylesheet" href="asset:${name}">`);
  for (const script of ['', '<script></script>'])
    await own.post('/v1/generate', { html: script + images.join('') });
  const header = names.map((name) => `<img src="asset:${name}">`).join('');
  await own.post('/v1/generate', { html: '<p>x', options: { header } });
  // The site can be reached.
  await own.post('/v1/generate', { html: `<img src="http://${host}/control">` });
  expect(hits).toEqual([`http://${host}/control`]);
});

describeWithPdfTools('a web page does not see the assets of the account for which it is printed', () => {
  /** A page that tries to load an asset, and shows "read" if it could. */
  const spy = `<body><p id="p">nothing</p><script>
    const image = new Image();
    image.onload = () => { p.textContent = 'read'; };
    image.src = 'asset:black.png';
  </script>`;
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(spy, { headers: { 'content-type': 'text/html' } }),
  });
  site.unref();
  const host = `127.0.0.1:${site.port}`;
  const own = sharedService({ env: { EGRESS_ALLOW: host } });

  test.each([
    ['a URL source', { url: `http://${host}/` }],
    [
      'a frame',
      {
        html: `<iframe src="http://${host}/" width="300" height="100"></iframe><img src="asset:black.png">`,
      },
    ],
    [
      'a document that navigates there',
      { html: `<script>location = 'http://${host}/'</script><img src="asset:black.png">` },
    ],
  ])('%s', async (_, body) => {
    await own().post('/v1/assets', { name: 'black.png', data: pixel(0) });
    const { status, body: made } = await own().post('/v1/generate', body);
    expect(status).toBe(200);
    const text = await pdfText(await own().download(made.url));
    expect(text).toContain('nothing');
    expect(text).not.toContain('read');
  });

  test('control: a document of the account does', async () => {
    await own().post('/v1/assets', { name: 'black.png', data: pixel(0) });
    expect(await pdfText(await own().pdf({ html: spy }))).toContain('read');
  });
});
