import { expect, test } from 'bun:test';
import { onePixelPng } from '../../support/pdf/one-pixel-png.ts';
import { describeWithPdfTools, pdfFonts, pdfText, rasterise } from '../../support/pdf/pdf.ts';
import { startPackageSite } from '../../support/sites/package-site.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const redPixel = new Uint8Array(onePixelPng(255, 0, 0));
const FONT = '@fontsource/lora/files/lora-latin-400-normal.woff2';
const SLOW_FONT = '/slow-font.woff2';
const origin = startPackageSite(async (path) => {
  // Real time: the assets arrive late.
  await Bun.sleep(path === SLOW_FONT ? 1_000 : 100);
  if (path === SLOW_FONT) return new Response(Bun.file(new URL(import.meta.resolve(FONT))));
  if (path.startsWith('/frame'))
    return new Response('<p>inFrame', { headers: { 'content-type': 'text/html' } });
  return new Response(redPixel, { headers: { 'content-type': 'image/png' } });
});
const service = sharedService({ env: { EGRESS_ALLOW: new URL(origin).host } });

const margin = '0';
const done = { waitFor: { selector: '.done' }, strict: true, margin };

/** Returns, for each page, the share of pixels with a colour. */
async function shares(
  pdf: Uint8Array,
  [red, green, blue]: readonly [number, number, number],
): Promise<number[]> {
  const pages = await rasterise(pdf, { dpi: 48 });
  return pages.map(({ data, width, height }) => {
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if (
        Math.abs((data[at] ?? 0) - red) +
          Math.abs((data[at + 1] ?? 0) - green) +
          Math.abs((data[at + 2] ?? 0) - blue) <
        60
      )
        count += 1;
    return count / (width * height);
  });
}

/** Lists the names of the embedded fonts. */
async function fontsOf(pdf: Uint8Array): Promise<string[]> {
  return (await pdfFonts(pdf)).filter(({ isEmbedded }) => isEmbedded).map(({ name }) => name);
}

describeWithPdfTools('a document with', () => {
  test('Chart.js is printed after its animation', async () => {
    const html = `<!doctype html><div style="width:400px"><canvas id=c width=400 height=400></canvas></div>
      <script src="${origin}/chart.js/dist/chart.umd.min.js"></script>
      <script>new Chart(c, {
        type: 'bar',
        data: { labels: ['one', 'two'], datasets: [{ data: [10, 10], backgroundColor: '#ff0000', barPercentage: 1, categoryPercentage: 1 }] },
        options: { scales: { x: { display: false }, y: { display: false, max: 10 } }, plugins: { legend: { display: false } },
          animation: { duration: 900, onComplete: () => c.classList.add('done') } },
      })</script>`;
    const [share = 0] = await shares(await service().pdf({ html, options: done }), [255, 0, 0]);
    // The bars fill 400 x 400 of 794 x 1123 pixels.
    expect(share).toBeGreaterThan(0.165);
  });

  test('a D3 transition is printed at its end', async () => {
    const html = `<!doctype html><body style="margin:0"><svg width=400 height=400><rect width=1 height=400 fill="#00f"/></svg>
      <script src="${origin}/d3/dist/d3.min.js"></script>
      <script>d3.select('rect').transition().duration(900).attr('width', 400).on('end', () => { window.ended = true })</script>`;
    const options = { waitFor: { expression: 'window.ended' }, strict: true, margin };
    const [share = 0] = await shares(await service().pdf({ html, options }), [0, 0, 255]);
    expect(share).toBeGreaterThan(0.175);
  });

  test('a Mermaid diagram has all nodes, labels and edges', async () => {
    const html = `<!doctype html><pre class="mermaid">graph TD; A[Order received]-->|paid|B(Invoice sent); B-->C{Delivered?}</pre>
      <script src="${origin}/mermaid/dist/mermaid.min.js"></script>
      <script>mermaid.initialize({ startOnLoad: false }); mermaid.run().then(() => document.body.classList.add('done'))</script>`;
    const pdf = await service().pdf({ html, options: done });
    const text = await pdfText(pdf);
    for (const label of ['Order received', 'paid', 'Invoice sent', 'Delivered?'])
      expect(text).toContain(label);
    // The default theme fills its nodes with #ececff.
    expect((await shares(pdf, [0xec, 0xec, 0xff]))[0]).toBeGreaterThan(0.01);
  });

  test('KaTeX formulas have their fonts, without waitFor', async () => {
    const html = `<!doctype html><link rel=stylesheet href="${origin}/katex/dist/katex.min.css"><p id=f></p>
      <script src="${origin}/katex/dist/katex.min.js"></script>
      <script>katex.render('\\\\int_0^1 x^2\\\\,dx = \\\\frac{1}{3}, \\\\quad \\\\mathcal{L} \\\\in \\\\mathbb{R}', f, { output: 'html' })</script>`;
    const pdf = await service().pdf({ html, options: { strict: true } });
    const fonts = await fontsOf(pdf);
    for (const font of [
      'KaTeX_Math-Italic',
      'KaTeX_Main-Regular',
      'KaTeX_AMS-Regular',
      'KaTeX_Caligraphic-Regular',
    ])
      expect(fonts).toContain(font);
    expect(await pdfText(pdf)).toContain('∫');
  });

  test('web components are rendered, with Lit and without, in shadow trees and slots', async () => {
    const packages = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element'];
    const imports = Object.fromEntries(
      packages.flatMap((name) => [
        [`${name}/`, `${origin}/${name}/`],
        [
          name,
          `${origin}/${name}/${name.includes('/') ? 'reactive-element.js' : name === 'lit' ? 'index.js' : `${name}.js`}`,
        ],
      ]),
    );
    const html = `<!doctype html><script type=importmap>${JSON.stringify({ imports })}</script>
      <plain-total value=42></plain-total><lit-list items='["first","second"]'>slotted</lit-list>
      <script type=module>
        import { html, css, LitElement } from 'lit';
        customElements.define('lit-list', class extends LitElement {
          static properties = { items: { type: Array } };
          static styles = css\`li { background: #00ff00 }\`;
          render() { return html\`<ul>\${this.items.map((item) => html\`<li>\${item}</li>\`)}</ul><slot></slot>\` }
        });
      </script>
      <script>customElements.define('plain-total', class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: 'closed' }).innerHTML = 'total ' + this.getAttribute('value') }
      })</script>`;
    const pdf = await service().pdf({ html, options: { strict: true } });
    const text = await pdfText(pdf);
    for (const word of ['total 42', 'first', 'second', 'slotted']) expect(text).toContain(word);
    expect((await shares(pdf, [0, 255, 0]))[0]).toBeGreaterThan(0.01);
  });

  test.each([
    [
      'a style sheet',
      `<link rel=stylesheet href="${origin}/@fontsource/lora/400.css"><p style="font-family:Lora">text`,
    ],
    [
      'an import',
      `<style>@import "${origin}/@fontsource/lora/400.css"; p { font-family: Lora }</style><p>text`,
    ],
    [
      'print styles',
      `<style>@font-face { font-family: L; src: url(${origin}/@fontsource/lora/files/lora-latin-400-normal.woff2) } @media print { p { font-family: L } }</style><p>text`,
    ],
    ...['optional', 'fallback'].map((display) => [
      `a slow server with font-display: ${display}`,
      `<style>@media all { @font-face { font-family: L; font-display: ${display}; src: url(${origin}${SLOW_FONT}) } } p { font-family: L }</style><p>text`,
    ]),
    [
      'a script',
      `<p>text<script>const face = new FontFace('L', 'url(${origin}/@fontsource/lora/files/lora-latin-400-normal.woff2)'); document.fonts.add(face); face.load(); document.body.style.fontFamily = 'L'</script>`,
    ],
  ])('a web font of %s is embedded', async (_, html) => {
    const pdf = await service().pdf({ html: `<!doctype html>${html}`, options: { strict: true } });
    expect((await fontsOf(pdf)).join()).toContain('Lora');
  });

  test('lazy images, frames and hidden content far below are complete', async () => {
    const image = (at: number, attributes = 'loading=lazy') =>
      `<div style="height:11in;break-after:page;position:relative"><img ${attributes} src="${origin}/${at}.png" style="width:3in;height:3in"></div>`;
    const html = `<!doctype html><style>body { margin: 0 }</style>
      ${Array.from({ length: 10 }, (_, at) => image(at)).join('')}
      ${image(10, `loading=lazy srcset="${origin}/wide.png 2x"`)}
      <picture><source srcset="${origin}/source.png">${image(11)}</picture>
      <div style="content-visibility:auto;contain-intrinsic-size:11in">${image(12)}</div>
      <iframe loading=lazy src="${origin}/frame.html"></iframe>
      <script>document.body.insertAdjacentHTML('beforeend', '${image(13).replaceAll('\n', '')}')</script>`;
    const pdf = await service().pdf({ html, options: { strict: true, margin } });
    const found = (await shares(pdf, [255, 0, 0])).filter((share) => share > 0.08);
    expect(found).toHaveLength(14);
    expect(await pdfText(pdf)).toContain('inFrame');
  });
});
