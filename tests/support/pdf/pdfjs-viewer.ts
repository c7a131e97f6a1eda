import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from '../../../plugins/render/browser/find-chromium.mjs';

const packageFolder = join(import.meta.dir, '..', '..', '..', 'tools', 'node_modules', 'pdfjs-dist');

const PAGE = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/web/pdf_viewer.css">
<style>#container{position:absolute;inset:0;overflow:auto}</style>
<div id="container"><div id="viewer" class="pdfViewer"></div></div>
<script type="module">
import * as pdfjsLib from '/build/pdf.mjs';
globalThis.pdfjsLib = pdfjsLib;
const { EventBus, PDFLinkService, PDFViewer } = await import('/web/pdf_viewer.mjs');
pdfjsLib.GlobalWorkerOptions.workerSrc = '/build/pdf.worker.mjs';
globalThis.show = async (base64) => {
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  const container = document.getElementById('container');
  const viewer = new PDFViewer({
    container, eventBus, linkService, annotationMode: pdfjsLib.AnnotationMode.ENABLE_FORMS,
  });
  const rendered = new Promise((done) => eventBus.on('annotationlayerrendered', done));
  globalThis.pdf = await pdfjsLib.getDocument({
    data: Uint8Array.fromBase64(base64),
    cMapUrl: '/cmaps/', standardFontDataUrl: '/standard_fonts/', wasmUrl: '/wasm/', iccUrl: '/iccs/',
  }).promise;
  linkService.setDocument(pdf);
  viewer.setDocument(pdf);
  await rendered;
};
globalThis.save = async () => (await pdf.saveDocument()).toBase64();
globalThis.ready = true;
</script>`;

/**
 * The viewer of pdf.js in its own Chromium, in which a test acts as a person who reads and fills in a file.
 */
export class PdfjsViewer implements AsyncDisposable {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #server: Bun.Server<undefined>;

  private constructor(parts: { page: Page; browser: Browser; server: Bun.Server<undefined> }) {
    this.page = parts.page;
    this.#browser = parts.browser;
    this.#server = parts.server;
  }

  /** Opens a file and waits until its first page is ready for input. */
  static async open(pdf: Uint8Array): Promise<PdfjsViewer> {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => {
        const { pathname } = new URL(url);
        if (pathname === '/') return new Response(PAGE, { headers: { 'content-type': 'text/html' } });
        return new Response(Bun.file(join(packageFolder, pathname)));
      },
    });
    const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
    if (executablePath === undefined) throw new Error('no Chromium was found');
    const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
    const page = await browser.newPage();
    await page.goto(server.url.href);
    await page.waitForFunction('globalThis.ready');
    await page.evaluate(`show(${JSON.stringify(Buffer.from(pdf).toString('base64'))})`);
    return new PdfjsViewer({ page, browser, server });
  }

  /** Returns the control that the viewer shows for a field; for a radio button, the first. */
  control(name: string) {
    return this.page.locator(`[name=${JSON.stringify(name)}]`);
  }

  /** Saves the file with the values that were entered. */
  async save(): Promise<Buffer> {
    return Buffer.from(await this.page.evaluate<string>('save()'), 'base64');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#server.stop(true);
  }
}
