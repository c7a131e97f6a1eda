/**
 * `npm run docs:pictures` prints the examples of docs/paged-media, and writes a picture of the pages of each
 * one beside it.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { $ } from 'bun';
import sharp from 'sharp';
import { TestService } from '../tests/support/service/service.ts';

const FOLDER = join(import.meta.dir, '../docs/paged-media');
const DPI = 80;
const GAP = 12;
const BORDER = '#d0d4d9';

await using service = await TestService.start();
for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith('.html')).toSorted()) {
  const html = await Bun.file(join(FOLDER, file)).text();
  const pdf = await service.pdf({ html });
  const name = file.replace('.html', '');
  await $`pdftoppm -png -r ${DPI} - ${join(service.dataDir, name)} < ${Buffer.from(pdf)}`;
  const pages = (await readdir(service.dataDir)).filter((page) => page.startsWith(`${name}-`)).toSorted();
  await Bun.write(join(FOLDER, `${name}.png`), await inRow(pages.map((page) => join(service.dataDir, page))));
  console.log(`${name}: ${pages.length} pages`);
}

/** Arranges pages of equal height in a row, each with a border, with a palette of 256 colours. */
async function inRow(pages: readonly string[]): Promise<Buffer> {
  const framed = await Promise.all(
    pages.map((page) =>
      sharp(page)
        .extend({ top: 1, bottom: 1, left: 1, right: 1, background: BORDER })
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  let left = 0;
  const placed = framed.map(({ data, info }) => {
    const at = left;
    left += info.width + GAP;
    return { input: data, left: at, top: 0 };
  });
  const height = Math.max(...framed.map(({ info }) => info.height));
  return sharp({ create: { width: left - GAP, height, channels: 3, background: 'white' } })
    .composite(placed)
    .png({ palette: true, effort: 10, dither: 0 })
    .toBuffer();
}
