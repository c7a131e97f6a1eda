import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PNG } from 'pngjs';
import { PNG as Png } from 'pngjs';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { pdfText, perceivedDifference, rasterise } from '../support/pdf/pdf.ts';
import { unzip } from '../support/unzip.ts';
import { syntaxFaults } from './compare.ts';
import { drawWithPdfjs, textByPdfjs } from './pdfjs-reader.ts';

const COMPRESSED_DPI = 36;
const IMAGE_DPI = 50;
/** The fraction of characters that must be equal, in any order. */
const MIN_EQUAL_CHARACTERS = 0.98;
/** The fraction of the pixels of a page that may change. */
const MAX_CHANGED = 0.004;
/**
 * The side of the blocks in which images of two renderers are compared, because letters differ by fractions
 * of a pixel.
 */
const BLOCK_PX = 5;
/** The difference between the means of a channel, of 255, above which blocks differ. */
const MAX_BLOCK_DIFFERENCE = 48;
/** The fraction of blocks that may differ. */
const MAX_CHANGED_BLOCKS = 0.01;
/** White space, hyphens, and characters that are not visible. */
const IGNORED = /[\s\p{C}\p{Pd}]+/gu;

/**
 * Further programs to compare with, if they are installed. They and pdf.js run only when the result differs
 * from poppler's.
 */
const TEXT_PROGRAMS = [
  ['mutool', 'draw', '-q', '-F', 'txt', '{}'],
  ['gs', '-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=txtwrite', '-sOutputFile=-', '{}'],
] as const;
const IMAGE_PROGRAMS = [
  ['mutool', 'draw', '-q', '-r', `${IMAGE_DPI}`, '-o', 'page-%04d.png', '{}'],
  [
    'gs',
    '-q',
    '-dNOPAUSE',
    '-dBATCH',
    '-dUseCropBox',
    '-sDEVICE=png16m',
    '-dTextAlphaBits=4',
    '-dGraphicsAlphaBits=4',
    `-r${IMAGE_DPI}`,
    '-sOutputFile=page-%04d.png',
    '{}',
  ],
] as const;

const operations = new URL('../../plugins/pdf-tools/operations/', import.meta.url);

/** Compares the text of a file with pdftotext's and, if it differs, with the text of other readers. */
export async function checkText(sandbox: Sandbox, pdf: Buffer): Promise<string[]> {
  const tasks = sandbox.load<typeof import('../../plugins/pdf-tools/operations/text/task.ts')>(
    new URL('text/task.ts', operations),
  );
  const result = await tasks.extract({ pdf: { raw: pdf }, pages: undefined, format: 'plain' });
  if (!result.ok) return [result.message];
  const { pages } = JSON.parse(new TextDecoder().decode(result.value)) as { pages: { text: string }[] };
  const own = normalise(pages.map(({ text }) => text).join('\n'));
  const theirs = normalise(await pdfText(pdf));
  // Poppler does not find the text of some files.
  if (theirs === '') return [];
  const share = equalShare(own, theirs);
  if (share >= MIN_EQUAL_CHARACTERS) return [];
  const readings = [
    ...TEXT_PROGRAMS.filter(([program]) => Bun.which(program) !== null).map((command) =>
      normalise(textBy(pdf, command)),
    ),
    normalise(await textByPdfjs(pdf)),
  ];
  if (readings.some((reading) => equalShare(own, reading) >= MIN_EQUAL_CHARACTERS)) return [];
  const excerpt = (text: string) => JSON.stringify(text.slice(0, 40));
  return [`${(100 * share).toFixed(0)} % of the text is equal: ${excerpt(own)}, not ${excerpt(theirs)}`];
}

/** Returns the output of a program that reads a file. */
function textBy(pdf: Uint8Array, command: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-corpus-'));
  try {
    const path = join(folder, 'file.pdf');
    writeFileSync(path, pdf);
    return Bun.spawnSync(command.map((argument) => argument.replace('{}', path))).stdout.toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function normalise(text: string): string {
  return text.normalize('NFKC').replaceAll(IGNORED, '');
}

/** Returns the fraction of the characters of two texts that they have in common, in any order. */
function equalShare(one: string, other: string): number {
  const counts = new Map<string, number>();
  for (const character of one) counts.set(character, (counts.get(character) ?? 0) + 1);
  let equal = 0;
  let total = 0;
  for (const count of counts.values()) total += count;
  for (const character of other) {
    const left = counts.get(character) ?? 0;
    if (left > 0) equal += 1;
    counts.set(character, left - 1);
    total += 1;
  }
  return (2 * equal) / total;
}

/** Compares the images of the pages with pdftoppm's and, if they differ, with the images of other readers. */
export async function checkImages(sandbox: Sandbox, pdf: Buffer): Promise<string[]> {
  const tasks = sandbox.load<typeof import('../../plugins/pdf-tools/operations/images/task.ts')>(
    new URL('images/task.ts', operations),
  );
  const request = { pdf: { raw: pdf }, pages: undefined, type: 'png', dpi: IMAGE_DPI } as const;
  const result = await tasks.draw(request, { timeoutMs: 60_000 });
  if (!result.ok) return [result.message];
  const own = (await unzip(result.value.zip)).map(({ content }) => Png.sync.read(content));
  const theirs = await rasterise(pdf, { dpi: IMAGE_DPI, cropBox: true });
  if (own.length !== theirs.length) return [`${own.length} images, not ${theirs.length}`];
  const sizes = own.flatMap((image, index) => {
    const other = theirs[index];
    if (other?.width === image.width && other.height === image.height) return [];
    return [`image ${index + 1}: ${image.width} x ${image.height}, not ${other?.width} x ${other?.height}`];
  });
  const faults = [...sizes, ...differences(own, theirs)];
  if (faults.length === 0 || sizes.length > 0) return faults;
  const drawings = [
    ...IMAGE_PROGRAMS.filter(([program]) => Bun.which(program) !== null).map((command) =>
      drawWith(pdf, command),
    ),
    await drawWithPdfjs(pdf, IMAGE_DPI),
  ];
  return drawings.some((drawing) => differences(own, drawing).length === 0) ? [] : faults;
}

function differences(own: readonly PNG[], others: readonly PNG[]): string[] {
  return own.flatMap((image, index) => {
    const other = others[index];
    const changed = other ? changedBlocks(image, other) : 1;
    return changed > MAX_CHANGED_BLOCKS
      ? [`image ${index + 1}: ${(100 * changed).toFixed(1)} % of the blocks differ`]
      : [];
  });
}

/** Draws the pages with a program that writes `page-0001.png` and so on into its working directory. */
function drawWith(pdf: Uint8Array, command: readonly string[]): PNG[] {
  const folder = mkdtempSync(join(tmpdir(), 'platen-corpus-'));
  try {
    const path = join(folder, 'file.pdf');
    writeFileSync(path, pdf);
    Bun.spawnSync(
      command.map((argument) => argument.replace('{}', path)),
      { cwd: folder },
    );
    const names = readdirSync(folder).filter((name) => name.endsWith('.png'));
    return names.toSorted().map((name) => Png.sync.read(readFileSync(join(folder, name))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Crops or extends an image to the size of another, because programs round the size of a page differently.
 * Added pixels are white.
 */
function fitTo({ width, height }: PNG, other: PNG): PNG {
  if (other.width === width && other.height === height) return other;
  const fitted = new Png({ width, height });
  fitted.data.fill(255);
  Png.bitblt(other, fitted, 0, 0, Math.min(width, other.width), Math.min(height, other.height), 0, 0);
  return fitted;
}

/** Returns the fraction of the blocks that differ. */
function changedBlocks(one: PNG, other: PNG): number {
  const [left, right] = [blocksOf(one), blocksOf(fitTo(one, other))];
  let changed = 0;
  for (const [index, value] of left.entries())
    if (Math.abs(value - (right[index] ?? 0)) > MAX_BLOCK_DIFFERENCE) changed += 1;
  return changed / left.length;
}

/** Returns the mean of each channel in each block. */
function blocksOf({ width, height, data }: PNG): Float64Array {
  const across = Math.ceil(width / BLOCK_PX);
  const sums = new Float64Array(across * Math.ceil(height / BLOCK_PX) * 3);
  const counts = new Float64Array(sums.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const block = 3 * (Math.floor(y / BLOCK_PX) * across + Math.floor(x / BLOCK_PX));
      for (let channel = 0; channel < 3; channel += 1) {
        sums[block + channel] = (sums[block + channel] ?? 0) + (data[4 * (y * width + x) + channel] ?? 0);
        counts[block + channel] = (counts[block + channel] ?? 0) + 1;
      }
    }
  return sums.map((total, index) => total / (counts[index] ?? 1));
}

/** Checks that a compressed file is valid and not larger, and that its text and pages stay the same. */
export async function checkCompress(sandbox: Sandbox, pdf: Buffer): Promise<string[]> {
  const tasks = sandbox.load<typeof import('../../plugins/pdf-tools/operations/compress/task.ts')>(
    new URL('compress/task.ts', operations),
  );
  const request = { pdf: { raw: pdf }, dpi: 150, quality: 75, allowSignatureLoss: true };
  const result = await tasks.compress(request, { timeoutMs: 60_000 });
  if (!result.ok) return /permissions do not allow/.test(result.message) ? [] : [result.message];
  const compressed = result.value.pdf;
  const faults: string[] = [];
  if (compressed.length > pdf.length) faults.push(`${compressed.length} bytes, more than ${pdf.length}`);
  faults.push(...(await syntaxFaults(compressed, pdf)));
  if (normalise(await pdfText(compressed)) !== normalise(await pdfText(pdf))) faults.push('the text differs');
  const [images, expected] = await Promise.all(
    [compressed, pdf].map((file) => rasterise(file, { dpi: COMPRESSED_DPI })),
  );
  for (const { page, changed, pixels } of perceivedDifference(images ?? [], expected ?? []).pages)
    if (changed > pixels * MAX_CHANGED) faults.push(`page ${page}: ${changed} of ${pixels} pixels changed`);
  return faults;
}
