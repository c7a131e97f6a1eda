import { afterAll, beforeAll, expect, test } from 'bun:test';
import sharp from 'sharp';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { plainPdf, stream } from '../support/pdf/samples.ts';
import { describeWithPdfTools, pageCount, qpdfCheck } from '../support/pdf/pdf.ts';

const PAGES = 18;
const [WIDTH, HEIGHT] = [850, 1_200];
/** The memory limit of the sandbox. The bitmaps of all pages at 300 dpi would take twice as much. */
const MEMORY_BYTES = 900_000_000;

const METADATA = { title: undefined, author: undefined, subject: undefined };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ slots: 1, maxMemoryBytes: MEMORY_BYTES });
});
afterAll(() => sandbox.close());

/** Creates a JPEG of a photograph: smooth areas with grain. */
async function photograph(): Promise<Buffer> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let at = 0; at < pixels.length; at += 1) {
    const [x, y] = [Math.floor(at / 3) % WIDTH, Math.floor(at / 3 / WIDTH)];
    const grain = ((at * 2_654_435_761) >>> 28) - 8;
    pixels[at] = 128 + 60 * Math.sin(x / 90 + (at % 3)) + 50 * Math.cos(y / 70) + grain;
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 70 })
    .toBuffer();
}

/** Creates A4 pages that share a translucent photograph. */
function documentOf(jpeg: Buffer): string {
  const kids = Array.from({ length: PAGES }, (_, page) => `${7 + 2 * page} 0 R`);
  return plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${PAGES}/MediaBox[0 0 595 842]/Resources 3 0 R>>`,
    '<</XObject<</I 4 0 R>>/ExtGState<</S 5 0 R>>/Font<</F 6 0 R>>>>',
    stream(
      jpeg.toString('latin1'),
      `/Type/XObject/Subtype/Image/Width ${WIDTH}/Height ${HEIGHT}/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode`,
    ),
    '<</ca 0.6>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...kids.flatMap((_, page) => [
      `<</Type/Page/Parent 2 0 R/Contents ${8 + 2 * page} 0 R>>`,
      stream(`q /S gs 595 0 0 842 0 0 cm /I Do Q BT /F 24 Tf 50 700 Td (Page ${page + 1}) Tj ET`),
    ]),
  ]);
}

describeWithPdfTools('a conversion to PDF/A-1b', () => {
  test('of pages with transparent photographs takes little memory, and stores them as JPEG', async () => {
    const { convert } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/pdfa/task.ts')>(
      new URL('../../plugins/pdf-tools/operations/pdfa/task.ts', import.meta.url),
    );
    const jpeg = await photograph();
    const pdf = Buffer.from(documentOf(jpeg), 'latin1');
    const limits = { timeoutMs: 240_000 };
    const result = await convert({ pdf: { raw: pdf }, ...METADATA }, limits);
    if (!result.ok || !('pdf' in result.value)) throw new Error(JSON.stringify(result));
    const { pdf: archived } = result.value;
    await qpdfCheck(archived);
    expect(await pageCount(archived)).toBe(PAGES);
    expect(archived.length).toBeLessThan(1.5 * PAGES * jpeg.length);
    expect((await sandbox.status()).kills.memory).toBe(0);
  }, 300_000);
});
