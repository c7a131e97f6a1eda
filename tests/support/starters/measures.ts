import { $ } from 'bun';
import { rasterise } from '../pdf/pdf.ts';
import { readPages, type Page, type Word } from './layout.ts';

const DPI = 300;
/** The brightest value of red, green and blue that counts as ink. */
const INK = 160;

/**
 * Measures the width of a word on the first page that contains it, in points.
 * @throws when no page contains it
 */
export async function wordWidth(pdf: Uint8Array, text: string): Promise<number> {
  const { right, left } = findWord(await wordsOf(pdf), text);
  return right - left;
}

/** Returns the height of the last page and the lower edge of its lowest word, in points. */
export async function lastWord(pdf: Uint8Array): Promise<{ height: number; bottom: number }> {
  const page = (await wordsOf(pdf)).at(-1);
  if (!page) throw new Error('the PDF has no pages');
  return { height: page.height, bottom: Math.max(...page.words.map(({ bottom }) => bottom)) };
}

/** Measures the rightmost vertical line beside a word of the first page, in pixels at 300 dpi. */
export async function rightBorderWidth(pdf: Uint8Array, text: string): Promise<number> {
  const word = findWord(await wordsOf(pdf), text);
  const [picture] = await rasterise(pdf, { dpi: DPI });
  if (!picture) throw new Error('the PDF has no pages');
  const { data, width } = picture;
  const y = Math.round((((word.top + word.bottom) / 2) * DPI) / 72);
  const isInk = (x: number) =>
    data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).every((value) => value < INK);
  let right = width - 1;
  while (right >= 0 && !isInk(right)) right -= 1;
  let left = right;
  while (left >= 0 && isInk(left)) left -= 1;
  return right - left;
}

async function wordsOf(pdf: Uint8Array): Promise<Page[]> {
  return readPages(await $`pdftotext -bbox - - < ${Buffer.from(pdf)}`.text());
}

function findWord(pages: Page[], text: string): Word {
  const word = pages.flatMap(({ words }) => words).find((each) => each.text === text);
  if (!word) throw new Error(`the PDF does not contain "${text}"`);
  return word;
}
