import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chromium, type Browser } from 'playwright-core';
import { contentScale } from '../../../plugins/render/print/content-scale.ts';
import { toPrintSetup } from '../../../plugins/render/print/print-options.ts';
import { findChromium } from '../../../plugins/render/browser/find-chromium.mjs';
import { activeDocuments, plainDocuments } from '../../documents/index.ts';
import { FONT_SETTINGS } from '../../support/fonts/fonts.ts';
import { describeWithPdfTools, pixelDifference, rasterise } from '../../support/pdf/pdf.ts';
import { drawPages } from '../../support/pdf/pixels.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite } from '../../support/suite.ts';

// A concurrency of 1 prints all documents in one browser page, so that anything a document leaves behind
// would show in the next one.
const service = sharedService({ config: { plugins: { render: { concurrency: 1 } } } });
const DPI = 50;

describeWithPdfTools(
  'a document looks the same as in a new browser page, whatever was printed before it:',
  () => {
    let browser: Browser;
    beforeAll(async () => {
      const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium() ?? '';
      browser = await chromium.launch({
        executablePath,
        chromiumSandbox: process.getuid?.() !== 0,
        env: { ...process.env, FONTCONFIG_FILE: FONT_SETTINGS.RENDER_FONT_CONFIG },
      });
    });
    afterAll(() => browser.close());

    async function printOnNewPage(html: string): Promise<Uint8Array> {
      // The size of the paper without its margins, as the service sets it.
      const context = await browser.newContext({ viewport: { width: 698, height: 1027 } });
      const page = await context.newPage();
      await page.setContent(html);
      await page.evaluate(async () => {
        for (const lazy of document.querySelectorAll<HTMLImageElement>('[loading=lazy]'))
          lazy.loading = 'eager';
        await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
        await document.fonts.ready;
      });
      const margin = { top: '0.5in', right: '0.5in', bottom: '0.5in', left: '0.5in' };
      const pdf = await page.pdf({
        width: '210mm',
        height: '297mm',
        margin,
        scale: contentScale(html, toPrintSetup()),
        printBackground: true,
        preferCSSPageSize: true,
      });
      await context.close();
      return pdf;
    }

    const documents = casesOfSuite([...plainDocuments, ...activeDocuments], 16);
    test.each(documents.map(({ name, html }) => [name, html] as const))(
      '%s',
      async (_name, html) => {
        const [actual, fresh] = await Promise.all([service().pdf({ html }), printOnNewPage(html)]);
        const [drawn, expected] = await Promise.all(
          [actual, fresh].map((pdf) => drawPages(pdf, { dpi: DPI })),
        );
        if (drawn?.equals(expected ?? Buffer.alloc(0))) return;
        const pages = [await rasterise(actual, { dpi: DPI }), await rasterise(fresh, { dpi: DPI })] as const;
        expect(pixelDifference(...pages)).toMatchObject({ changed: 0 });
        throw new Error('the page sizes or page counts differ');
      },
      60_000,
    );
  },
);
