import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { popplerEnv } from '../support/pdf/pdf.ts';

const DPI = 100;
/** An imperceptible change of a colour channel, in 255ths. */
const TOLERANCE = 32;
const MAX_PAGES = 25;

/** How a page of the converted document differs from the original page. */
export interface PageDifference {
  page: number;
  /** The share of pixels with a channel that changed by more than 32 of 255. */
  changed: number;
  /**
   * The words that poppler extracts from only one of the two pages, after `-` from the original and after `+`
   * from the converted page.
   */
  words: string[];
}

/**
 * Compares the first pages of a document before and after conversion, as poppler renders them and extracts
 * their text. Returns an empty list if poppler cannot open the original.
 */
export async function comparePages(before: Uint8Array, after: Uint8Array): Promise<PageDifference[]> {
  const [original, converted] = await Promise.all([inspect(before), inspect(after)]);
  if (original.images.length === 0) return [];
  const pages = Math.max(original.images.length, converted.images.length);
  return Array.from({ length: pages }, (_, index) => ({
    page: index + 1,
    changed: changedShare(original.images[index], converted.images[index]),
    words: differentWords(original.words[index] ?? [], converted.words[index] ?? []),
  }));
}

interface Inspected {
  images: Buffer[];
  words: string[][];
}

async function inspect(pdf: Uint8Array): Promise<Inspected> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-compare-'));
  try {
    const file = join(folder, 'input.pdf');
    await Bun.write(file, pdf);
    const last = ['-l', `${MAX_PAGES}`];
    const [text] = await Promise.all([
      run(['pdftotext', '-enc', 'UTF-8', ...last, file, '-']),
      run(['pdftoppm', '-r', `${DPI}`, ...last, file, join(folder, 'page')]),
    ]);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.ppm')).sort();
    const images = await Promise.all(names.map((name) => readFile(join(folder, name))));
    return { images, words: text.split('\f').map((page) => page.split(/\s+/).filter(Boolean)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { env: popplerEnv, stdout: 'pipe', stderr: 'ignore', timeout: 120_000 });
  return new Response(child.stdout).text();
}

/**
 * Returns the share of pixels that differ in two PPM images, which have a header with the size and then one
 * byte per channel.
 */
function changedShare(before: Buffer | undefined, after: Buffer | undefined): number {
  if (!before || !after || before.length !== after.length) return 1;
  const header = before.length > 64 ? before.toString('latin1', 0, 64) : '';
  const [start = '', width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(header) ?? [];
  if (start === '' || !after.toString('latin1', 0, 64).startsWith(start)) return 1;
  let changed = 0;
  for (let at = start.length; at < before.length; at += 3) {
    for (let channel = at; channel < at + 3; channel++) {
      if (Math.abs((before[channel] ?? 0) - (after[channel] ?? 0)) <= TOLERANCE) continue;
      changed++;
      break;
    }
  }
  return changed / (Number(width) * Number(height));
}

function differentWords(before: readonly string[], after: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of before) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const word of after) counts.set(word, (counts.get(word) ?? 0) - 1);
  return [...counts].flatMap(([word, count]) => (count === 0 ? [] : [`${count > 0 ? '-' : '+'}${word}`]));
}
