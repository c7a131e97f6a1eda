import { expect, test } from 'bun:test';
import { onePixelPng } from '../../support/pdf/one-pixel-png.ts';
import { describeWithPdfTools, rasterise } from '../../support/pdf/pdf.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { allowedPort } from '../../support/sites/allowed-ports.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const black = new Uint8Array(onePixelPng(0, 0, 0));
const hits: string[] = [];
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: allowedPort(),
  async fetch(request) {
    const { pathname } = new URL(request.url);
    hits.push(pathname);
    // Real time: the asset arrives after the document was laid out for print.
    if (pathname.startsWith('/slow-')) await Bun.sleep(500);
    if (pathname.endsWith('.css'))
      return new Response('.box { background: #000 }', { headers: { 'content-type': 'text/css' } });
    return new Response(black, { headers: { 'content-type': 'image/png' } });
  },
});
site.unref();
const origin = `http://127.0.0.1:${site.port}`;
const service = extendedService();

const box =
  '<style>body { margin: 0 } .box { width: 4in; height: 4in; display: block; print-color-adjust: exact }</style>';

/** Documents whose black box comes from the network, keyed by how they load it. */
const remote: Record<string, string> = {
  image: `${box}<img class="box" src="${origin}/a.png">`,
  'lazy image': `${box}<img class="box" loading="lazy" src="${origin}/b.png">`,
  background: `${box}<div class="box" style="background: url(${origin}/c.png)"></div>`,
  'escaped background': `${box}<div class="box" style="background: u\\72l(${origin}/d.png)"></div>`,
  'style sheet': `${box}<link rel="stylesheet" href="${origin}/e.css"><div class="box"></div>`,
  'import of a style sheet': `<style>@import "${origin}/f.css";</style>${box}<div class="box"></div>`,
  'image of a script': `${box}<body><script>const i = new Image(); i.className = 'box'; i.src = '${origin}/g.png'; document.body.append(i)</script>`,
  'image that a script adds after load': `${box}<script>addEventListener('load', () => { const i = new Image(); i.className = 'box'; i.src = '${origin}/h.png'; document.body.append(i) })</script>`,
  'background of an image set': `${box}<div class="box" style='background: image-set("${origin}/k.png" 1x)'></div>`,
  'background of print styles': `${box}<style>@media print { .box { background: url(${origin}/slow-j.png) } }</style><div class="box"></div>`,
  'svg image': `${box}<svg class="box" viewBox="0 0 1 1"><image href="${origin}/i.png" width="1" height="1"/></svg>`,
};

describeWithPdfTools('an asset from the network is loaded and shown:', () => {
  // Later rounds may use a browser page that has cached the asset.
  test.each(casesOfSuite(Object.entries(remote), 8))('%s, every time', async (_name, html) => {
    for (let time = 1; time <= (isThorough ? 3 : 2); time += 1) {
      hits.length = 0;
      const [page] = await rasterise(await service().pdf({ html, options: { margin: '0' } }), { dpi: 20 });
      const isBlack = page?.data[(20 * page.width + 20) * 4] === 0;
      expect([time, isBlack]).toEqual([time, true]);
      expect(hits.length).toBe(1);
    }
  });

  test('an image that only print styles request', async () => {
    const html = `${box}<style>@media print { .box { background: image-set("${origin}/print.png" 1x) } }</style><div class="box"></div>`;
    hits.length = 0;
    await service().pdf({ html });
    expect(hits).toContain('/print.png');
  });
});

test('an image at a refused address does not fail the document', async () => {
  const { status } = await service().post('/v1/generate', {
    html: '<img src="http://169.254.169.254/latest/meta-data/"><img src="http://10.0.0.1/"><p>text',
  });
  expect(status).toBe(200);
});
