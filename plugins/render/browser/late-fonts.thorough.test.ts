import { afterAll, beforeAll, expect, test } from 'bun:test';
import { FONT_CONFIG } from './font-config.ts';
import { findChromium } from './find-chromium.mjs';
import { renameFont, trueTypeFont } from '../../../tests/support/fonts/fonts.ts';
import { describeWithPdfTools, pdfFonts } from '../../../tests/support/pdf/pdf.ts';
import { PageAssets } from '../assets/page-assets.ts';
import { Deadline } from '../deadline.ts';
import { toPrintSetup } from '../print/print-options.ts';
import { classify } from '../source/classify.ts';
import { chromiumFlags } from './chromium-flags.ts';
import { launchBrowser, type LaunchedBrowser } from './launch.ts';
import { PageSlot } from './page-slot.ts';

/** Chromium itself waits a shorter time for fonts that a document requests only while it is printed. */
const SLOW_MS = 3_000;

const font = { family: 'Acme', name: 'acme.ttf', weight: '400', style: 'normal' } as const;
const base64 = renameFont(trueTypeFont, 'Acme').toString('base64');

describeWithPdfTools('the fonts of a hidden document on a plain page', () => {
  let launched: LaunchedBrowser;
  beforeAll(async () => {
    const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium() ?? '';
    const flags = chromiumFlags({ proxyUrl: 'http://127.0.0.1:9', sandbox: process.getuid?.() !== 0 });
    launched = await launchBrowser({ executablePath, flags, niceness: 0, fontConfig: FONT_CONFIG });
  });
  afterAll(() => launched.close());

  test('a font that arrives late is printed, and later documents do not request it again', async () => {
    const page = await PageSlot.open(launched, { documentClass: 'plain', accountId: '' }, () => undefined);
    let reads = 0;
    const assets = new PageAssets({
      revision: 'a'.repeat(24),
      fonts: [font],
      async read() {
        reads += 1;
        // Real time: Chromium gives up waiting for a late font.
        await Bun.sleep(SLOW_MS);
        return { mediaType: 'font/ttf', base64, sizeBytes: trueTypeFont.length };
      },
    });
    const html = assets.addFonts('<head></head><p style="font-family: Acme">Hamburgefonts');
    const classified = classify(html, assets.fontStyles);
    expect(classified.html).toContain('display:none');
    for (let time = 1; time <= 3; time += 1) {
      using deadline = new Deadline({ timeoutMs: 20_000 });
      const job = { document: classified.html, setup: toPrintSetup(), deadline, memory: undefined, assets };
      const result = await page.print(job);
      if (result === 'needs network') throw new Error('the page refused the font');
      expect((await pdfFonts(result.pdf)).map(({ name }) => name)).toEqual(['Acme']);
      expect(await page.recycle()).toBe(true);
    }
    expect(reads).toBe(1);
  }, 60_000);
});
