import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { plainPdf, stream } from '../../packages/pdf/tests/plain-pdf.ts';

const DPI = 300;

/**
 * Creates a PDF that looks like a scan of pages: colour JPEG images of 300 dpi with paper noise and a photograph. Adds pages until their
 * images exceed `sizeBytes`, at most 30.
 */
export async function makeScan(pdf: Uint8Array, sizeBytes: number): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-scan-'));
  try {
    const file = join(folder, 'pages.pdf');
    writeFileSync(file, pdf);
    await Bun.$`pdftoppm -r ${DPI} -png -l 30 ${file} ${join(folder, 'page')}`.quiet();
    const drawn = readdirSync(folder)
      .filter((name) => name.endsWith('.png'))
      .toSorted();
    const images: { width: number; height: number; jpeg: Buffer }[] = [];
    let size = 0;
    for (const name of drawn) {
      if (size > sizeBytes) break;
      const image = await scanPage(join(folder, name));
      images.push(image);
      size += image.jpeg.length;
    }
    return pdfOf(images);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function scanPage(path: string): Promise<{ width: number; height: number; jpeg: Buffer }> {
  const { width, height } = await sharp(path).metadata();
  const noise = (mean: number, sigma: number) => ({ type: 'gaussian', mean, sigma }) as const;
  const canvas = { channels: 3, background: '#fff' } as const;
  const paper = await sharp({ create: { ...canvas, width, height, noise: noise(232, 5) } })
    .blur(0.6)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const photo = await sharp({ create: { ...canvas, width: 900, height: 700, noise: noise(128, 60) } })
    .blur(9)
    .normalise()
    .png()
    .toBuffer();
  const blurred = await sharp(path).removeAlpha().blur(0.7).png({ compressionLevel: 1 }).toBuffer();
  const layers = [
    { input: paper, blend: 'multiply' } as const,
    { input: photo, left: width - 1_100, top: height - 900 },
  ];
  const jpeg = await sharp(blurred).composite(layers).jpeg({ quality: 88 }).toBuffer();
  return { width, height, jpeg };
}

function pdfOf(images: readonly { width: number; height: number; jpeg: Buffer }[]): Buffer {
  const kids = images.map((_, index) => `${3 + 3 * index} 0 R`);
  const objects = images.flatMap(({ width, height, jpeg }, index) => {
    const [across, up] = [(width * 72) / DPI, (height * 72) / DPI];
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${across} ${up}]/Contents ${4 + 3 * index} 0 R/Resources<</XObject<</I ${5 + 3 * index} 0 R>>>>>>`,
      stream(`q ${across} 0 0 ${up} 0 0 cm /I Do Q`),
      stream(
        jpeg.toString('latin1'),
        `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode`,
      ),
    ];
  });
  const pages = `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`;
  return Buffer.from(plainPdf(['<</Type/Catalog/Pages 2 0 R>>', pages, ...objects]), 'latin1');
}
