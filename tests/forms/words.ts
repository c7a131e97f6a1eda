import type { Rect } from './qpdf-fields.ts';

/** A word found by poppler, in points from the upper left corner of the displayed page. */
export interface Word {
  text: string;
  box: Rect;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads the words of each page with `pdftotext -bbox`, including those of annotations. Takes a path or the
 * bytes of a file.
 */
export async function readWords(pdf: string | Uint8Array): Promise<Word[][]> {
  const [file, stdin] = typeof pdf === 'string' ? [pdf, undefined] : ['-', pdf];
  const child = Bun.spawn(['pdftotext', '-bbox', '-cropbox', file, '-'], { stdin, stderr: 'ignore' });
  const markup = await new Response(child.stdout).text();
  const pages = markup.split('<page ').slice(1);
  return pages.map((page) =>
    [
      ...page.matchAll(
        /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/gs,
      ),
    ].map(([, left, top, right, bottom, text = '']) => ({
      text: text.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole),
      box: [Number(left), Number(top), Number(right), Number(bottom)],
    })),
  );
}

/**
 * How far a word may extend beyond the box of a field. Poppler's word boxes are wider than the visible
 * glyphs.
 */
const TOLERANCE_PT = 2;

/** Maximum distance between the middles of two words on one line. */
const LINE_PT = 3;

/** Joins the words inside a box without spaces, line by line. */
export function textInBox(words: readonly Word[], [left, top, right, bottom]: Rect): string {
  return words
    .filter(({ box }) => {
      const middle = middleOf({ box });
      const inside = box[0] >= left - TOLERANCE_PT && box[2] <= right + TOLERANCE_PT;
      return inside && middle > top && middle < bottom;
    })
    .toSorted((a, b) => {
      const down = middleOf(a) - middleOf(b);
      return Math.abs(down) > LINE_PT ? down : a.box[0] - b.box[0];
    })
    .map(({ text }) => text)
    .join('');
}

function middleOf({ box }: Pick<Word, 'box'>): number {
  return (box[1] + box[3]) / 2;
}
