/**
 * `npm run docs:pictures` prints the examples of docs/paged-media with the styles of its `base.css`, and writes
 * a picture of the pages beside each example.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { $ } from 'bun';
import sharp from 'sharp';
import { TestService } from '../tests/support/service/service.ts';
import { withBorder } from './with-border.ts';

const FOLDER = join(import.meta.dir, '../docs/paged-media');
const DPI = 80;
const GAP = 12;

const styles = await Bun.file(join(FOLDER, 'base.css')).text();
await using service = await TestService.start();
for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith('.html')).toSorted()) {
  const html = await Bun.file(join(FOLDER, file)).text();
  const pdf = await service.pdf({ html, styles });
  const name = file.replace('.html', '');
  await $`pdftoppm -png -r ${DPI} - ${join(service.dataDir, name)} < ${Buffer.from(pdf)}`;
  const pages = (await readdir(service.dataDir)).filter((page) => page.startsWith(`${name}-`)).toSorted();
  await Bun.write(join(FOLDER, `${name}.png`), await inRow(pages.map((page) => join(service.dataDir, page))));
  console.log(`${name}: ${pages.length} pages`);
}

/** Arranges pages in a row, each with a border. */
async function inRow(pages: readonly string[]): Promise<Buffer> {
  const framed = await Promise.all(pages.map(async (page) => withBorder(await Bun.file(page).bytes())));
  const sizes = await Promise.all(framed.map((picture) => sharp(picture).metadata()));
  let left = 0;
  const placed = framed.map((input, index) => {
    const at = left;
    left += (sizes[index]?.width ?? 0) + GAP;
    return { input, left: at, top: 0 };
  });
  const height = Math.max(...sizes.map((size) => size.height));
  return sharp({ create: { width: left - GAP, height, channels: 3, background: 'white' } })
    .composite(placed)
    .png({ palette: true, effort: 10, dither: 0 })
    .toBuffer();
}
