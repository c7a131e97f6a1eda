import type { Rect } from './qpdf-fields.ts';

/** A word as poppler finds it on a page, in points from the upper left corner of the page as it is shown. */
export interface Word {
  text: string;
  box: Rect;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads the words of each page of a file, or of its bytes, those of annotations too, with `pdftotext -bbox`. */
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

/** How far a word may stand out of its box: boxes of glyphs are wider than their ink. */
const TOLERANCE_PT = 2;

/** Two words are on one line when their middles are not further apart. */
const LINE_PT = 3;

/** Joins, line by line, the words whose middle lies in a box and whose sides do not stand out of it, without spaces. */
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
