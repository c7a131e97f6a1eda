import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import type { Variant } from './variants.ts';
import { rowsOf } from './variants.ts';
import type { StarterFile } from './starters.ts';

/** A word and its box in points from the upper left corner of the page. */
export interface Word {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** True when the word had direction marks. Its box may then be too wide. */
  hasMarks: boolean;
}

/** A page, its size in points and its words. */
export interface Page {
  width: number;
  height: number;
  words: Word[];
}

/** Invisible characters that set the direction of text. Poppler lists them as words or parts of words. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c]/g;
/** The width of the edge that printers leave blank, about 3 mm. */
const UNPRINTABLE_POINTS = 8;
/** Sixty sections of a report, each with a chart and a table, take about 80 pages. */
const MAX_PAGES = 100;
/** A report has two more pages, for its cover and contents. */
const MAX_SAMPLE_PAGES = 6;

/**
 * Lists the layout faults of a printed starter, as poppler sees it: blank pages, missing rows, table headers
 * that are not repeated, overlapping text, text beyond the edge and fonts that are not embedded.
 */
export async function layoutFaults(
  pdf: Uint8Array,
  { starter, variant }: { starter: StarterFile; variant: Variant },
): Promise<string[]> {
  const { pages, fonts } = await read(pdf);
  const faults = [...pages.entries()].flatMap(([index, page]) =>
    [...blankPages(page), ...escaped(page), ...outside(page), ...collisions(page), ...collapsed(page)].map(
      (fault) => `page ${index + 1}: ${fault}`,
    ),
  );
  if (pages.length > MAX_PAGES) faults.push(`${pages.length} pages`);
  if (variant.name === 'sample' && pages.length > MAX_SAMPLE_PAGES)
    faults.push(`the sample takes ${pages.length} pages`);
  return [
    ...faults,
    ...missingRows(pages, variant),
    ...missingHeaders(pages, { starter, variant }),
    ...fonts,
  ];
}

async function read(pdf: Uint8Array): Promise<{ pages: Page[]; fonts: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-starter-'));
  try {
    const file = join(folder, 'starter.pdf');
    await Bun.write(file, pdf);
    const boxes = await $`pdftotext -bbox ${file} -`.text();
    const listed = (await $`pdffonts ${file}`.text()).trim().split('\n').slice(2);
    // name, type, encoding, then: emb sub uni object ID
    const fonts = listed.filter((line) => !/\byes (?:yes|no) +(?:yes|no) +\d+ +\d+$/.test(line));
    return { pages: readPages(boxes), fonts: fonts.map((line) => `a font is not embedded: ${line}`) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the output of `pdftotext -bbox`. */
export function readPages(boxes: string): Page[] {
  return boxes
    .split('<page ')
    .slice(1)
    .map((page) => {
      const [, width, height] = /^width="([\d.]+)" height="([\d.]+)"/.exec(page) ?? [];
      const words = page.matchAll(
        /<word xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">([^<]*)</g,
      );
      return {
        width: Number(width),
        height: Number(height),
        words: [...words]
          .map(([, left, top, right, bottom, text = '']) => ({
            text: text.replaceAll(DIRECTION_MARKS, ''),
            hasMarks: text.search(DIRECTION_MARKS) >= 0,
            left: Number(left),
            top: Number(top),
            right: Number(right),
            bottom: Number(bottom),
          }))
          .filter(({ text }) => text !== ''),
      };
    });
}

function blankPages(page: Page): string[] {
  return page.words.length === 0 ? ['is blank'] : [];
}

/**
 * Finds text with visible HTML escapes, which appear where escaped text is not parsed as HTML, as in a style
 * sheet.
 */
function escaped(page: Page): string[] {
  return page.words
    .filter(({ text }) => /&amp;(?:amp|lt|gt|quot|#x?\w+);/.test(text))
    .map(({ text }) => `"${text}" is escaped`);
}

function outside({ width, height, words }: Page): string[] {
  return words
    .map(shrinkToLetters)
    .filter(
      ({ left, top, right, bottom }) =>
        left < UNPRINTABLE_POINTS || top < 0 || right > width - UNPRINTABLE_POINTS || bottom > height,
    )
    .map(({ text }) => `"${text}" is beyond the edge`);
}

/** Shrinks a box to the height of its letters, because the box has the height of the font. */
function shrinkToLetters(word: Word): Word {
  const inset = (word.bottom - word.top) * 0.3;
  return { ...word, top: word.top + inset, bottom: word.bottom - inset };
}

/** Finds overlapping words. */
function collisions(page: Page): string[] {
  const words = page.words.filter(({ hasMarks }) => !hasMarks).map(shrinkToLetters);
  return words.flatMap((a, index) =>
    words
      .slice(index + 1)
      .filter(
        (b) =>
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5,
      )
      .map((b) => `"${a.text}" overlaps "${b.text}"`),
  );
}

/** Finds columns so narrow that each line has one letter. */
function collapsed({ words }: Page): string[] {
  const stacks = new Map<number, Set<string>>();
  for (const { text, left } of words) {
    const at = Math.round(left / 4);
    if (/^\p{Script=Latin}$/u.test(text)) stacks.set(at, (stacks.get(at) ?? new Set()).add(text));
  }
  return [...stacks.values()].some((letters) => letters.size > 6) ? ['a column is one letter wide'] : [];
}

const textOf = (page: Page) => page.words.map(({ text }) => text).join(' ');

/** Finds row numbers. In right-to-left text the sign may come after the digits. */
const rowNumbers = (page: Page) =>
  [...textOf(page).matchAll(/#(\d+)|(\d+)#/g)].map(([, after, before]) => Number(after ?? before));

function missingRows(pages: Page[], { numberedRows }: Variant): string[] {
  if (numberedRows === undefined) return [];
  const found = new Set(pages.flatMap(rowNumbers));
  return [1, numberedRows].filter((row) => !found.has(row)).map((row) => `row ${row} is missing`);
}

function missingHeaders(
  pages: Page[],
  { starter, variant }: { starter: StarterFile; variant: Variant },
): string[] {
  const label = headerLabel(starter);
  if (label === undefined || variant.numberedRows === undefined) return [];
  return [...pages.entries()]
    .filter(([, page]) => rowNumbers(page).length > 0 && !textOf(page).toLowerCase().includes(label))
    .map(([index]) => `page ${index + 1}: the header "${label}" is not repeated`);
}

/** Returns the first word of at least four letters in the `thead` before the rows. */
function headerLabel({ html, sample_data }: StarterFile): string | undefined {
  const start = html.search(new RegExp(`\\{\\{#each ${rowsOf(sample_data)}\\b`));
  const head = html.slice(0, Math.max(start, 0)).split('<thead').at(-1)?.split('</thead>');
  if (!head || head.length < 2) return undefined;
  const text = head[0]!.replaceAll(/^[^>]*>|<[^>]*>|\{\{[^}]*\}\}/g, ' ');
  return /\p{L}{4,}/u.exec(text)?.[0].toLowerCase();
}
