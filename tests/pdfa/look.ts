import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DPI = 100;
/** Of 255: what a channel may change unseen. */
const TOLERANCE = 32;
const MAX_PAGES = 25;

/** How a page of the archive differs from the same page before. */
export interface PageLook {
  page: number;
  /** Share of pixels of which a channel changed by more than 32 of 255. */
  changed: number;
  /** Words that poppler reads before or after alone. */
  words: string[];
}

/** Compares the first pages of a document and its archive as poppler draws and reads them. */
export async function compareLooks(before: Uint8Array, after: Uint8Array): Promise<PageLook[]> {
  const [old, made] = await Promise.all([inspect(before), inspect(after)]);
  // What poppler does not open has nothing to compare with.
  if (old.pictures.length === 0) return [];
  const pages = Math.max(old.pictures.length, made.pictures.length);
  return Array.from({ length: pages }, (_, index) => ({
    page: index + 1,
    changed: changedShare(old.pictures[index], made.pictures[index]),
    words: differentWords(old.words[index] ?? [], made.words[index] ?? []),
  }));
}

interface Inspected {
  pictures: Buffer[];
  words: string[][];
}

async function inspect(pdf: Uint8Array): Promise<Inspected> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-look-'));
  try {
    const file = join(folder, 'input.pdf');
    await Bun.write(file, pdf);
    const last = ['-l', `${MAX_PAGES}`];
    const [text] = await Promise.all([
      run(['pdftotext', '-enc', 'UTF-8', ...last, file, '-']),
      run(['pdftoppm', '-r', `${DPI}`, ...last, file, join(folder, 'page')]),
    ]);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.ppm')).sort();
    const pictures = await Promise.all(names.map((name) => readFile(join(folder, name))));
    return { pictures, words: text.split('\f').map((page) => page.split(/\s+/).filter(Boolean)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore', timeout: 120_000 });
  return new Response(child.stdout).text();
}

/** Compares two pictures in the format of `pdftoppm`: a header of their size, then a byte a channel. */
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
