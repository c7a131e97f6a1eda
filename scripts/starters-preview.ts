/**
 * Pictures of the starters: `npm run starters:preview` writes docs/starters; with `--check` it prints every variant on every paper
 * and says what is wrong; with `--all DIR` it also leaves each page of each variant there as a picture. Slugs limit it to some.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { $ } from 'bun';
import { TestService } from '../tests/support/service.ts';
import { faultsOf } from '../tests/support/starter-judge.ts';
import { variantsOf } from '../tests/support/starter-variants.ts';
import { papersOf, readStarters, requestFor, type StarterFile } from '../tests/support/starters.ts';
import { toSmallPng } from './small-png.ts';

const DOCS = join(import.meta.dir, '../docs/starters');
const PREVIEW_DPI = 72;
const LOOK_DPI = 80;

const { values, positionals: slugs } = parseArgs({
  args: process.argv.slice(2),
  options: { all: { type: 'string' }, check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const folder = values.all;
const check = values.check || folder !== undefined;

const starters = readStarters();
const chosen = slugs.length > 0 ? starters.filter(({ slug }) => slugs.includes(slug)) : starters;

await using service = await TestService.start();
for (const starter of chosen) await (check ? tryVariants(starter) : preview(starter));
if (!check) await Bun.write(join(DOCS, 'README.md'), gallery(starters));

async function preview(starter: StarterFile): Promise<void> {
  const pdf = await service.pdf(requestFor(starter, starter.sample_data));
  const picture = join(service.dataDir, starter.slug);
  await $`pdftoppm -png -r ${PREVIEW_DPI} -singlefile - ${picture} < ${Buffer.from(pdf)}`;
  const png = toSmallPng(await Bun.file(`${picture}.png`).bytes());
  await Bun.write(join(DOCS, `${starter.slug}.png`), png);
  console.log(`${starter.slug}: ${Math.ceil(png.length / 1000)} kB`);
}

async function tryVariants(starter: StarterFile): Promise<void> {
  let faulty = 0;
  const variants = variantsOf(starter);
  for (const paper of papersOf(starter)) {
    for (const variant of variants) {
      const name = [starter.slug, variant.name, paper].filter(Boolean).join('.');
      const pdf = await service.pdf(requestFor(starter, variant.data, paper));
      const faults = await faultsOf(pdf, { starter, variant });
      if (faults.length > 0) console.log(`${name}:\n  ${faults.slice(0, 8).join('\n  ')}`);
      faulty += faults.length > 0 ? 1 : 0;
      if (folder !== undefined) await writePages(pdf, folder, name);
    }
  }
  console.log(`${starter.slug}: ${variants.length} variants, ${faulty} faulty`);
  if (faulty > 0) process.exitCode = 1;
}

async function writePages(pdf: Uint8Array, into: string, name: string): Promise<void> {
  await mkdir(into, { recursive: true });
  for (const old of await readdir(into))
    if (old.startsWith(`${name}-`)) await Bun.file(join(into, old)).delete();
  await $`pdftoppm -png -r ${LOOK_DPI} - ${join(into, name)} < ${Buffer.from(pdf)}`;
}

function gallery(all: StarterFile[]): string {
  const rows = all.map(
    ({ slug, name, description, category }) =>
      `| <img src="${slug}.png" width="260" alt="${name}"> | **${name}**<br>${description} | \`${slug}\` | ${category} |`,
  );
  return `<!-- Written by npm run starters:preview. -->\n\n# Starters\n\n|  | name | slug | category |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}
