/**
 * `npm run starters:preview` writes the pictures and the README of docs/starters. With `--check`, it prints
 * every variant of every starter on every paper format and reports faults. With `--all DIR`, it also writes
 * an image of each page to DIR. With `--sheets DIR`, it writes a contact sheet of each starter: its pages
 * with the sample, with three times the data and without data. With `--locale de-DE`, sheets are in that
 * language. Slugs as arguments select starters.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { $ } from 'bun';
import { PNG } from 'pngjs';
import { EN } from '../packages/templates/labels/en.ts';
import { LABELS_BY_LANGUAGE } from '../packages/templates/labels/labels.ts';
import { TestService } from '../tests/support/service/service.ts';
import { layoutFaults } from '../tests/support/starters/layout.ts';
import { tripled, variantsOf, type JsonObject } from '../tests/support/starters/variants.ts';
import {
  localizedRequest,
  ONE_LANGUAGE,
  papersOf,
  readStarters,
  requestFor,
  templateOf,
  type StarterFile,
} from '../tests/support/starters/starters.ts';
import { withBorder } from './with-border.ts';

const DOCS = join(import.meta.dir, '../docs/starters');
const PREVIEW_DPI = 72;
const PAGE_DPI = 80;
const SHEET_DPI = 60;

const { values, positionals: slugs } = parseArgs({
  args: process.argv.slice(2),
  options: {
    all: { type: 'string' },
    check: { type: 'boolean', default: false },
    locale: { type: 'string' },
    sheets: { type: 'string' },
  },
  allowPositionals: true,
});
const folder = values.all;
const { locale, sheets } = values;
const check = values.check || folder !== undefined;

const starters = readStarters();
const chosen = slugs.length > 0 ? starters.filter(({ slug }) => slugs.includes(slug)) : starters;

await using service = await TestService.start();
for (const starter of chosen) {
  if (sheets !== undefined) await writeSheet(starter, sheets);
  else await (check ? tryVariants(starter) : preview(starter));
}
if (!check && sheets === undefined)
  await Bun.write(join(DOCS, 'README.md'), gallery(starters) + languageTable(starters) + labelTable());

async function preview(starter: StarterFile): Promise<void> {
  const pdf = await service.pdf(requestFor(starter, starter.sample_data));
  const picture = join(service.dataDir, starter.slug);
  await $`pdftoppm -png -r ${PREVIEW_DPI} -singlefile - ${picture} < ${Buffer.from(pdf)}`;
  const png = await withBorder(await Bun.file(`${picture}.png`).bytes());
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
      const faults = await layoutFaults(pdf, { starter, variant });
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
  await $`pdftoppm -png -r ${PAGE_DPI} - ${join(into, name)} < ${Buffer.from(pdf)}`;
}

/** Writes a picture with a row of pages for each variant: the sample, three times the data, no data. */
async function writeSheet(starter: StarterFile, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const shown = [starter.sample_data, tripled(starter.sample_data), {}];
  const rows: PNG[][] = [];
  for (const data of shown) {
    const pages = join(service.dataDir, starter.slug);
    const pdf = await service.pdf(await sheetRequest(starter, data));
    await $`pdftoppm -png -r ${SHEET_DPI} - ${pages} < ${Buffer.from(pdf)}`;
    const names = (await readdir(service.dataDir)).filter((name) => /^.*-\d+\.png$/.test(name)).sort();
    const row: PNG[] = [];
    for (const name of names) {
      const file = Bun.file(join(service.dataDir, name));
      row.push(PNG.sync.read(Buffer.from(await file.bytes())));
      await file.delete();
    }
    rows.push(row);
  }
  await Bun.write(join(into, `${starter.slug}.png`), PNG.sync.write(arrange(rows)));
}

async function sheetRequest(starter: StarterFile, data: JsonObject): Promise<object> {
  if (locale === undefined) return requestFor(starter, data);
  const { body } = await service.post('/v1/templates', templateOf(starter));
  return localizedRequest(starter, { template: body.id, data, locale });
}

/** Arranges pictures in rows on a grey background. */
function arrange(rows: PNG[][]): PNG {
  const gap = 8;
  const heights = rows.map((row) => Math.max(0, ...row.map(({ height }) => height)));
  const widths = rows.map((row) => row.reduce((sum, { width }) => sum + width + gap, gap));
  const sheet = new PNG({
    width: Math.max(...widths),
    height: heights.reduce((sum, height) => sum + height + gap, gap),
  });
  sheet.data.fill(0xaa);
  let top = gap;
  for (const [index, row] of rows.entries()) {
    let left = gap;
    for (const page of row) {
      PNG.bitblt(page, sheet, 0, 0, page.width, page.height, left, top);
      left += page.width + gap;
    }
    top += (heights[index] ?? 0) + gap;
  }
  for (let alpha = 3; alpha < sheet.data.length; alpha += 4) sheet.data[alpha] = 255;
  return sheet;
}

function gallery(all: StarterFile[]): string {
  const rows = all.map(
    ({ slug, name, description, category }) =>
      `| <img src="${slug}.png" width="260" alt="${name}"> | **${name}**<br>${description} | \`${slug}\` | ${category} |`,
  );
  return `<!-- Generated by npm run starters:preview. -->\n\n# Starters\n\nReady-made templates. Clone one into your account with \`POST /v1/starter-templates/{slug}/clone\`; see [starter templates](../starter-templates.md).\n\n|  | name | slug | category |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

/** Returns the section of the README about the languages of starters. */
function languageTable(all: StarterFile[]): string {
  const languages = [...LABELS_BY_LANGUAGE.keys()];
  const rows = all.map(({ slug, sample_data }) => {
    const { locale: tag } = sample_data;
    const own = ONE_LANGUAGE.has(slug) && typeof tag === 'string' ? [tag.slice(0, 2)] : languages;
    return `| \`${slug}\` | ${languages.map((language) => (own.includes(language) ? '●' : '')).join(' | ')} |`;
  });
  return `
## Languages

\`locale\` of a request, or else \`locale\` in the data, chooses the language of the words of a starter: see [languages](../starter-templates.md#languages). ● is a language in which the tests print the starter.
Starters for one country have the language of that country, and résumés and catalogues consist of your data: their few headings follow \`locale\` too.

| starter | ${languages.join(' | ')} |
| --- |${' --- |'.repeat(languages.length)}
${rows.join('\n')}
`;
}

/** Returns the section of the README about labels. */
function labelTable(): string {
  const rows = Object.entries(EN).map(([name, text]) => `| \`${name}\` | ${text} |`);
  return `
## Labels

Headings are in the language of \`locale\`: German, French, Spanish, Arabic, Hebrew, Japanese or English. Arabic and Hebrew are printed from right
to left. Numbers, dates and currencies follow \`locale\` in every language. \`labels\` replaces single headings and brings other languages:

\`\`\`json
{ "locale": "it-IT", "labels": { "invoice": "Fattura", "total_due": "Totale da pagare" } }
\`\`\`

Headings that \`labels\` does not name are in English then. In a template, \`{{labelOf "total_due"}}\` is the heading; see
[the helpers](../templates.md#labels). Clones from before these labels remain as they are.

| name | English |
| --- | --- |
${rows.join('\n')}
`;
}
