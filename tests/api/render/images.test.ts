import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { imageExamples } from '../../../plugins/render/image/examples.ts';
import { onePixelPng } from '../../support/pdf/one-pixel-png.ts';
import { pdfText } from '../../support/pdf/pdf.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const receiver = new Receiver(({ path }) =>
  path === '/page'
    ? new Response('<body style="background: lime">', { headers: { 'content-type': 'text/html' } })
    : new Response(null, { status: 204 }),
);
const service = sharedService({
  env: { EGRESS_ALLOW: receiver.host },
  config: { plugins: { render: { timeoutMs: 60_000 } } },
});

const send = (body: object, options: { key?: string } = {}): Promise<Response> =>
  service().send('/v1/images', body, options);

/** Creates an image and returns its bytes. */
async function draw(source: object | string, options: object = {}): Promise<Buffer> {
  const body = { ...(typeof source === 'string' ? { html: source } : source), options, output: 'binary' };
  const response = await send(body);
  if (response.status !== 200) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}

async function png(source: object | string, options: object = {}): Promise<PNG> {
  return PNG.sync.read(await draw(source, options));
}

/**
 * Returns the red, green, blue and alpha of a pixel; negative coordinates count from the right and bottom.
 */
function pixel({ data, width, height }: PNG, x: number, y: number): number[] {
  const at = ((y < 0 ? height + y : y) * width + (x < 0 ? width + x : x)) * 4;
  return [...data.subarray(at, at + 4)];
}

const sizeOf = ({ width, height }: PNG) => [width, height];
const RED = [255, 0, 0, 255];
const LIME = [0, 255, 0, 255];
const WHITE = [255, 255, 255, 255];
const CLEAR = [0, 0, 0, 0];

/** A red band of the height of the window above a lime band. */
const bands = (heightPx: number) =>
  `<body style="margin: 0"><div style="height: 100vh; background: red"></div><div style="height: ${heightPx}px; background: lime"></div>`;
const badge =
  '<body style="margin: 0"><div id="badge" style="margin: 30px; width: 50px; height: 40px; background: red"></div>';

describe('translations', () => {
  const translations = { en: { color: 'red' }, de: { color: 'lime' } };
  const html = '<body style="background: {{t "color"}}">';

  test('are sent with HTML or Markdown, as for a PDF', async () => {
    expect(pixel(await png({ html, translations, locale: 'de-AT' }), 0, 0)).toEqual(LIME);
    const markdown = '<body style="background: {{t "color"}}">';
    expect(pixel(await png({ markdown, translations, default_locale: 'en' }), 0, 0)).toEqual(RED);
  });

  test('are rejected for a stored template, which has its own', async () => {
    const { id: template } = (await service().post('/v1/templates', { name: 'x', html_content: 'x' })).body;
    const { status, body } = await service().post('/v1/images', { template, translations });
    expect([status, body.error.details[0].path]).toEqual([400, 'translations']);
  });
});

describe('the part of the document', () => {
  test('is the whole document by default, at least a window of 1280 x 720', async () => {
    const short = await png('<body style="background: lime">');
    expect(sizeOf(short)).toEqual([1280, 720]);
    expect(pixel(short, -1, -1)).toEqual(LIME);
    const long = await png(bands(500));
    expect(sizeOf(long)).toEqual([1280, 1220]);
    expect([pixel(long, 0, 719), pixel(long, 0, 720), pixel(long, -1, -1)]).toEqual([RED, LIME, LIME]);
  });

  test.if(isThorough)('is the window when a height is given, unless fullPage says otherwise', async () => {
    const card = await png(bands(500), { width: 600, height: 315 });
    expect(sizeOf(card)).toEqual([600, 315]);
    expect(pixel(card, -1, -1)).toEqual(RED);
    expect(sizeOf(await png(bands(500), { width: 600, height: 315, fullPage: true }))).toEqual([600, 815]);
    expect(sizeOf(await png(bands(500), { fullPage: false }))).toEqual([1280, 720]);
  });

  test('is a rectangle with clip', async () => {
    const clipped = await png(bands(500), { clip: { x: 10, y: 715, width: 20, height: 10 } });
    expect(sizeOf(clipped)).toEqual([20, 10]);
    expect([pixel(clipped, 0, 4), pixel(clipped, 0, 5)]).toEqual([RED, LIME]);
    const outside = await png(badge, { clip: { x: 5_000, y: 5_000, width: 16, height: 16 } });
    expect([sizeOf(outside), pixel(outside, 8, 8)]).toEqual([[16, 16], WHITE]);
    expect(sizeOf(await png(badge, { clip: { x: 0, y: 0, width: 1, height: 1 } }))).toEqual([1, 1]);
  });

  test('is an element with selector, wherever it is', async () => {
    const element = await png(badge, { selector: '#badge' });
    expect(sizeOf(element)).toEqual([50, 40]);
    expect([pixel(element, 0, 0), pixel(element, -1, -1)]).toEqual([RED, RED]);
    const far = `<div style="height: 3000px"></div>${badge}<script>scrollTo(0, 500)</script>`;
    expect(pixel(await png(far, { selector: '#badge' }), -1, -1)).toEqual(RED);
    const overridden = `${badge}<script>Document.prototype.querySelector = () => null; Element.prototype.getBoundingClientRect = () => ({ x: 0, y: 0, width: 1e9, height: 1e9 })</script>`;
    expect(sizeOf(await png(overridden, { selector: '#badge' }))).toEqual([50, 40]);
  });

  test('has more pixels with scale', async () => {
    const twice = await png(badge, { selector: '#badge', scale: 2 });
    expect(sizeOf(twice)).toEqual([100, 80]);
    expect(pixel(twice, -1, -1)).toEqual(RED);
    expect(sizeOf(await png(bands(500), { width: 400, height: 300, scale: 1.5 }))).toEqual([600, 450]);
    const ratio =
      '<body style="margin: 0"><script>document.body.style.background = devicePixelRatio === 3 ? "lime" : "red"</script>';
    expect(pixel(await png(ratio, { width: 100, height: 100, scale: 3 }), 5, 5)).toEqual(LIME);
  });

  test.if(isThorough)('is complete in an image that is 16,000 pixels high', async () => {
    const tall = await png(
      `<body style="margin: 0"><div style="height: 15990px; background: red"></div><div style="height: 10px; background: lime"></div>`,
      { width: 200 },
    );
    expect(sizeOf(tall)).toEqual([200, 16_000]);
    expect([pixel(tall, 0, 15_989), pixel(tall, -1, -1)]).toEqual([RED, LIME]);
  });
});

describe('the format', () => {
  const gradient =
    '<body style="margin: 0; height: 100vh; background: linear-gradient(45deg, red, blue, lime, white)">';

  test('is PNG, JPEG or WebP', async () => {
    expect((await draw(badge)).subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect((await draw(badge, { format: 'jpeg' })).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    const webp = await draw(badge, { format: 'webp' });
    expect([webp.toString('latin1', 0, 4), webp.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WEBP']);
  });

  test.each(casesOfSuite(['jpeg', 'webp'], 4))(
    '%s makes a larger file with a higher quality',
    async (format) => {
      const [low, high] = [
        await draw(gradient, { format, quality: 5 }),
        await draw(gradient, { format, quality: 95 }),
      ];
      expect(high.length).toBeGreaterThan(low.length * 1.3);
    },
  );

  test('is opaque by default, and transparent where the document has no background on request', async () => {
    expect(pixel(await png(badge), 0, 0)).toEqual(WHITE);
    const clear = await png(badge, { transparent: true });
    expect([pixel(clear, 0, 0), pixel(clear, 40, 40)]).toEqual([CLEAR, RED]);
    // Later images of an account reuse its browser page.
    expect(pixel(await png(badge), 0, 0)).toEqual(WHITE);
    const webp = await draw(badge, { transparent: true, format: 'webp' });
    expect(webp.toString('latin1', 12, 16)).toMatch(/VP8[XL]/);
  });
});

describe('the document', () => {
  test('comes from each source', async () => {
    const { body: template } = await service().post('/v1/templates', {
      name: 'card',
      html_content: '<body style="background: {{colour}}">',
    });
    const data = { colour: 'lime' };
    const sources = [
      { html: '<body style="background: {{colour}}">', data },
      { template: template.id, data },
      {
        react: 'export default ({ colour }) => <div style={{ background: colour, height: "100vh" }} />',
        data,
        styles: 'body { margin: 0 }',
      },
      { markdown: 'Hello', styles: 'html, body { background: lime }' },
      { url: receiver.url('/page') },
    ];
    for (const source of sources) {
      const { url: _, ...shown } = source as { url?: string };
      expect([shown, pixel(await png(source, { width: 200, height: 100 }), 2, 50)]).toEqual([shown, LIME]);
    }
  });

  test.if(isThorough)('has a margin when it is Markdown, which styles can remove', async () => {
    const source = { markdown: '![](data:,)', styles: 'p { background: red; height: 50px; margin: 0 }' };
    const options = { width: 200, height: 100 };
    const padded = await png(source, options);
    expect([pixel(padded, 31, 31), pixel(padded, 33, 33)]).toEqual([WHITE, RED]);
    const styles = `${source.styles} body { padding: 0 }`;
    expect(pixel(await png({ ...source, styles }, options), 1, 1)).toEqual(RED);
  });

  test('has the media type screen, or print', async () => {
    const html = '<style>body { background: red } @media print { body { background: lime } }</style>';
    expect(pixel(await png(html), 5, 5)).toEqual(RED);
    expect(pixel(await png(html, { media: 'print' }), 5, 5)).toEqual(LIME);
    expect(pixel(await png(html), 5, 5)).toEqual(RED);
  });

  test.if(isThorough)('is complete once it meets its conditions', async () => {
    const html =
      '<script>setTimeout(() => { document.body.style.background = "lime"; document.body.id = "done" }, 800)</script>';
    for (const waitFor of [
      { selector: '#done' },
      { delayMs: 900 },
      { expression: 'document.body?.id === "done"' },
    ])
      expect(pixel(await png(html, { waitFor }), 5, 5)).toEqual(LIME);
    const { body } = await service().post('/v1/images', {
      html: 'x',
      options: { waitFor: { delayMs: 60_000 } },
    });
    expect(body.error.details[0].path).toBe('options.waitFor.delayMs');
  });

  test.if(isThorough)('shows lazy images far below the window', async () => {
    const image = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="lime"/></svg>')}`;
    const html = `<body style="margin: 0"><div style="height: 6000px"></div><img loading="lazy" style="display: block" width="100" height="100" src="${image}">`;
    expect(pixel(await png(html), 50, -50)).toEqual(LIME);
  });

  test.if(isThorough)('fails like a PDF with strict and onAssetError', async () => {
    const html = '<img src="http://127.0.0.1:9/none.png"><script>oops()</script>';
    expect((await send({ html })).status).toBe(200);
    for (const [options, code] of [
      [{ strict: true, onAssetError: 'ignore' }, 'SCRIPT_ERROR'],
      [{ onAssetError: 'fail' }, 'ASSET_FAILED'],
    ] as const) {
      const { status, body } = await service().post('/v1/images', { html, options });
      expect([status, body.error.details[0].code]).toEqual([400, code]);
    }
    const options = { onAssetError: 'fail', ignoreAssetHosts: ['127.0.0.1'] };
    expect((await send({ html, options })).status).toBe(200);
  });

  test('shows the assets of its account only', async () => {
    const body = { name: 'lime.png', data: onePixelPng(0, 255, 0).toString('base64') };
    expect((await service().post('/v1/assets', body)).status).toBe(201);
    const source = { html: '<body style="margin: 0"><img width="50" height="50" src="asset:lime.png">' };
    expect(pixel(await png(source, { width: 100, height: 100 }), 25, 25)).toEqual(LIME);
    const react = 'export default () => <img width="50" height="50" src="asset:lime.png" />';
    const component = { react, styles: 'body { margin: 0 }' };
    expect(pixel(await png(component, { width: 100, height: 100 }), 25, 25)).toEqual(LIME);
    const other = await service().newKey();
    const { status } = await send({ ...source, options: { onAssetError: 'fail' } }, { key: other });
    expect(status).toBe(400);
  });

  test.if(isThorough)(
    'neither affects PDFs printed in the same browser page nor is affected by them',
    async () => {
      const html =
        '<script></script><body style="margin: 0"><p id=size></p><script>size.textContent = innerWidth + "x" + devicePixelRatio</script>';
      const pdf = async () => pdfText(await service().pdf({ html }));
      const before = await pdf();
      await png(badge, { width: 4000, height: 200, scale: 2, transparent: true, media: 'print' });
      expect(before).toMatch(/\d+x1/);
      expect(await pdf()).toBe(before);
      expect(sizeOf(await png(badge))).toEqual([1280, 720]);
    },
  );

  test.each(casesOfSuite(Object.entries(imageExamples), 8))(
    'can be the documented example "%s"',
    async (_, example) => {
      expect((await send(example)).status).toBe(200);
    },
  );
});
