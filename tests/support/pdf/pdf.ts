import { describe, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import {
  QpdfObjects,
  type QpdfDictionary,
  type QpdfJson as QpdfPagesAndObjects,
  type QpdfValue,
} from './qpdf-objects.ts';

/**
 * The environment for poppler, in which it replaces the standard fonts with the same fonts on every machine.
 */
export const popplerEnv = {
  ...process.env,
  FONTCONFIG_FILE: fileURLToPath(new URL('../fonts/fonts.conf', import.meta.url)),
};

const REQUIRED_TOOLS = [
  { command: 'qpdf', distribution: 'qpdf' },
  { command: 'pdfinfo', distribution: 'poppler-utils' },
  { command: 'pdftotext', distribution: 'poppler-utils' },
  { command: 'pdftoppm', distribution: 'poppler-utils' },
];

const missing = [
  ...new Set(
    REQUIRED_TOOLS.filter(({ command }) => Bun.which(command) === null).map((tool) => tool.distribution),
  ),
];

/** Whether qpdf and poppler-utils, which check PDFs in the tests, are on the PATH. */
export const toolsAvailable = missing.length === 0;

const SKIP_MESSAGE = `skipped: ${missing.join(', ')} not installed`;
let skipReported = false;

/**
 * Tells whether qpdf and poppler-utils are installed. Otherwise prints one line per process.
 * @throws {Error} if they are missing and `REQUIRE_SERVERS=1` is set.
 */
export function requireTools(): boolean {
  if (toolsAvailable) return true;
  if (process.env['REQUIRE_SERVERS'] === '1') throw new Error(SKIP_MESSAGE);
  if (!skipReported) console.log(SKIP_MESSAGE);
  skipReported = true;
  return false;
}

/**
 * Describes tests that need qpdf and poppler-utils. Without them the tests are skipped, or fail if
 * `REQUIRE_SERVERS=1` is set.
 */
export function describeWithPdfTools(name: string, define: () => void): void {
  if (!toolsAvailable && process.env['REQUIRE_SERVERS'] === '1') {
    describe(name, () => {
      test('finds qpdf and poppler-utils', () => {
        requireTools();
      });
    });
    return;
  }
  requireTools();
  describe.skipIf(!toolsAvailable)(name, define);
}

interface Outcome {
  exitCode: number;
  stdout: string;
  stderr: string;
}

async function run(command: string, args: string[]): Promise<Outcome> {
  const child = Bun.spawn([command, ...args], {
    env: popplerEnv,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

async function runOrThrow(command: string, args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(command, args);
  if (exitCode !== 0) throw new Error(`${command} exited with ${exitCode}: ${stderr}${stdout}`.trim());
  return stdout;
}

async function withFile<T>(pdf: Uint8Array, use: (file: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-pdf-'));
  try {
    const file = join(folder, 'input.pdf');
    await Bun.write(file, pdf);
    return await use(file, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reads the output of pdfinfo by label (`Title`, `Pages`, `Page size`, ...). Dates are in ISO 8601.
 * @throws {Error} if poppler cannot open the file.
 */
export async function pdfInfo(pdf: Uint8Array): Promise<Record<string, string>> {
  return withFile(pdf, async (file) => {
    const info: Record<string, string> = {};
    for (const line of (await runOrThrow('pdfinfo', ['-isodates', file])).split('\n')) {
      const colon = line.indexOf(':');
      if (colon > 0) info[line.slice(0, colon)] = line.slice(colon + 1).trim();
    }
    return info;
  });
}

/** Counts pages with poppler. @throws {Error} if poppler cannot open the file. */
export async function pageCount(pdf: Uint8Array): Promise<number> {
  const pages = Number((await pdfInfo(pdf))['Pages']);
  if (!Number.isInteger(pages)) throw new Error('pdfinfo reports no page count');
  return pages;
}

/** Size of a page in points, as poppler reports it: the crop box without `/Rotate`. */
export interface PageSize {
  width: number;
  height: number;
}

/** Reads the size of each page with poppler. @throws {Error} if poppler cannot open the file. */
export async function pageSizes(pdf: Uint8Array): Promise<PageSize[]> {
  const output = await withFile(pdf, (file) => runOrThrow('pdfinfo', ['-f', '1', '-l', '-1', file]));
  return [...output.matchAll(/^Page +\d+ size: +([\d.]+) x ([\d.]+) pts/gm)].map(([, width, height]) => ({
    width: Number(width),
    height: Number(height),
  }));
}

/**
 * Extracts text in its layout with poppler, from all pages or from one page (the first is 1). A form feed
 * ends each page. With `order: 'raw'`, the text is in the order of the content, so that cells stay together.
 * @throws {Error} if poppler cannot open the file.
 */
export async function pdfText(
  pdf: Uint8Array,
  { page, order = 'layout' }: { page?: number; order?: 'layout' | 'raw' } = {},
): Promise<string> {
  const range = page === undefined ? [] : ['-f', `${page}`, '-l', `${page}`];
  return withFile(pdf, (file) =>
    runOrThrow('pdftotext', [`-${order}`, '-enc', 'UTF-8', ...range, file, '-']),
  );
}

/**
 * Lists the structure of a tagged document as poppler reads it: standard types, attributes and text by depth.
 * @throws {Error} if poppler cannot open the file.
 */
export async function pdfStructure(pdf: Uint8Array): Promise<string[]> {
  const output = await withFile(pdf, (file) => runOrThrow('pdfinfo', ['-struct-text', file]));
  return output.split('\n').filter((line) => line.trim() !== '');
}

/**
 * Checks a file with `qpdf --check`. @throws {Error} with qpdf's output if it finds an error or a warning.
 */
export async function qpdfCheck(pdf: Uint8Array): Promise<void> {
  await withFile(pdf, (file) => runOrThrow('qpdf', ['--check', file]));
}

/**
 * Renders each page with poppler at a resolution in dots per inch. With `cropBox`, renders only the crop box.
 * @throws {Error} if poppler cannot open the file.
 */
export async function rasterise(
  pdf: Uint8Array,
  { dpi = 60, cropBox = false }: { dpi?: number; cropBox?: boolean } = {},
): Promise<PNG[]> {
  return withFile(pdf, async (file, folder) => {
    const box = cropBox ? ['-cropbox'] : [];
    await runOrThrow('pdftoppm', ['-png', ...box, '-r', `${dpi}`, file, join(folder, 'page')]);
    // pdftoppm pads page numbers, so the names sort in page order.
    const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
    return Promise.all(names.map(async (name) => PNG.sync.read(await readFile(join(folder, name)))));
  });
}

/** A font as poppler lists it. */
export interface ListedFont {
  /** The name without the prefix that marks a subset. */
  name: string;
  isEmbedded: boolean;
  isSubset: boolean;
}

export async function pdfFonts(pdf: Uint8Array): Promise<ListedFont[]> {
  return withFile(pdf, async (file) => {
    const [, , ...lines] = (await runOrThrow('pdffonts', [file])).trimEnd().split('\n');
    return lines.map((line) => {
      const [name = ''] = line.split(' ', 1);
      const [embedded, subset] = line.split(/ +/).slice(-5);
      return {
        name: name.replace(/^[A-Z]{6}\+/, ''),
        isEmbedded: embedded === 'yes',
        isSubset: subset === 'yes',
      };
    });
  });
}

/** Number of changed pixels on one page; the first page is 1. */
export interface PageDifference {
  page: number;
  changed: number;
  pixels: number;
}

/** Number of changed pixels per page and in the whole document. */
export interface PixelDifference {
  pages: PageDifference[];
  changed: number;
  pixels: number;
}

function comparePages(
  a: PNG[],
  b: PNG[],
  options: { threshold: number; includeAA: boolean },
): PixelDifference {
  const pages = Array.from({ length: Math.max(a.length, b.length) }, (_, index): PageDifference => {
    const [left, right] = [a[index], b[index]];
    const sizes = [left, right].map((image) => (image ? image.width * image.height : 0));
    const pixels = Math.max(...sizes);
    const comparable = left && right && left.width === right.width && left.height === right.height;
    const changed = comparable
      ? pixelmatch(left.data, right.data, undefined, left.width, left.height, options)
      : pixels;
    return { page: index + 1, changed, pixels };
  });
  return {
    pages,
    changed: pages.reduce((sum, page) => sum + page.changed, 0),
    pixels: pages.reduce((sum, page) => sum + page.pixels, 0),
  };
}

/**
 * Counts pixels that are not identical. `changed` is 0 only if both documents have the same pages with the
 * same sizes and pixels. A page that is missing or has another size counts with all its pixels.
 */
export function pixelDifference(a: PNG[], b: PNG[]): PixelDifference {
  const difference = comparePages(a, b, { threshold: 0, includeAA: true });
  // pixelmatch compares perceived colour, which may round away the smallest step of a channel.
  const identical = a.length === b.length && a.every((page, index) => b[index]?.data.equals(page.data));
  if (difference.changed === 0 && !identical) throw new Error('pixels differ, yet pixelmatch counts none');
  return difference;
}

/**
 * Counts pixels that a reader would see as changed. Ignores colours closer than `threshold` (0 to 1) and
 * anti-aliasing. Missing pages and pages of another size count in full, as in {@link pixelDifference}.
 */
export function perceivedDifference(
  a: PNG[],
  b: PNG[],
  { threshold = 0.1 }: { threshold?: number } = {},
): PixelDifference {
  return comparePages(a, b, { threshold, includeAA: false });
}

export type { QpdfDictionary, QpdfValue };

/** The parts of qpdf's JSON that the tests use: pages in order, the form, and objects by `obj:3 0 R`. */
export interface QpdfJson extends QpdfPagesAndObjects {
  acroform: {
    hasacroform: boolean;
    needappearances: boolean;
    fields: { fullname: string; value: QpdfValue; annotation: { appearancestate: string } }[];
  };
}

/**
 * Reads the objects of a file with qpdf, without stream data. @throws {Error} if qpdf cannot read the file.
 */
export async function qpdfJson(pdf: Uint8Array): Promise<QpdfJson> {
  const args = [
    '--json=2',
    '--json-key=pages',
    '--json-key=acroform',
    '--json-key=qpdf',
    '--json-stream-data=none',
  ];
  return JSON.parse(await withFile(pdf, (file) => runOrThrow('qpdf', [...args, file])));
}

function decodeString(value: QpdfValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.startsWith('u:')) return value.slice(2);
  return value.startsWith('b:') ? Buffer.from(value.slice(2), 'hex').toString('latin1') : undefined;
}

/**
 * Lists the URIs of link annotations with qpdf, in page and annotation order, including duplicates. Links
 * inside the document are left out.
 * @throws {Error} if qpdf cannot read the file.
 */
export async function links(pdf: Uint8Array): Promise<string[]> {
  const objects = new QpdfObjects(await qpdfJson(pdf));
  return objects.pages.flatMap((page) =>
    objects
      .list(page['/Annots'])
      .map((annotation) => objects.dictionary(annotation))
      .filter((annotation) => annotation['/Subtype'] === '/Link')
      .map((annotation) => decodeString(objects.resolve(objects.dictionary(annotation['/A'])['/URI'])))
      .filter((uri) => uri !== undefined),
  );
}
