import { $ } from 'bun';
import { popplerEnv } from '../support/pdf/pdf.ts';

/** Returns a footnote with the number `n`, whose call and note can be found in the text of the PDF. */
export const marked = (n: number, text = ''): string =>
  `call${n}x<span data-footnote>note${n}x ${text}</span>`;

interface Word {
  text: string;
  top: number;
  bottom: number;
}

/** The calls and notes of a page, and where its body and its notes are. Positions are in points. */
export interface NotePage {
  calls: number[];
  notes: number[];
  /** The bottom of the last line above the notes. */
  bodyEnd: number;
  /** The top and the bottom of the notes; absent without notes. */
  notesTop?: number;
  notesEnd?: number;
  height: number;
}

/** Reads the calls and notes made by {@link marked} on each page. */
export async function readNotePages(pdf: Uint8Array): Promise<NotePage[]> {
  const boxes = await $`pdftotext -bbox - - < ${Buffer.from(pdf)}`.env(popplerEnv).text();
  return [...boxes.matchAll(/<page width="[\d.]+" height="([\d.]+)">([\s\S]*?)<\/page>/g)].map(
    ([, height, content = '']): NotePage => {
      const words = [
        ...content.matchAll(/yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)<\/word>/g),
      ].map(([, top, bottom, text = '']): Word => ({ text, top: Number(top), bottom: Number(bottom) }));
      const find = (kind: string) =>
        words.flatMap((word) => [...word.text.matchAll(new RegExp(`${kind}(\\d+)x`, 'g'))].map(([, n]) => ({ n: Number(n), ...word })));
      const notes = find('note');
      const notesTop = Math.min(...notes.map(({ top }) => top));
      const below = words.filter(({ top }) => top >= notesTop - 2);
      return {
        calls: find('call').map(({ n }) => n),
        notes: notes.map(({ n }) => n),
        bodyEnd: Math.max(0, ...words.filter((word) => !below.includes(word)).map(({ bottom }) => bottom)),
        ...(notes.length > 0 && { notesTop, notesEnd: Math.max(...below.map(({ bottom }) => bottom)) }),
        height: Number(height),
      };
    },
  );
}

/**
 * Returns the faults of a PDF with `count` notes made by {@link marked}: calls without their note on the same
 * page, notes above the foot of the page, and text over notes. `marginPt` is the margin at the foot.
 */
export async function noteFaults(
  pdf: Uint8Array,
  { count, marginPt }: { count: number; marginPt: number },
): Promise<string[]> {
  const faults: string[] = [];
  const pages = await readNotePages(pdf);
  const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b).join();
  for (const [index, { calls, notes, bodyEnd, notesTop, notesEnd, height }] of pages.entries()) {
    const page = index + 1;
    if (sorted(calls) !== sorted(notes)) faults.push(`page ${page}: calls ${sorted(calls)}, notes ${sorted(notes)}`);
    if (notesTop === undefined || notesEnd === undefined) continue;
    if (bodyEnd > notesTop) faults.push(`page ${page}: text at ${bodyEnd}, notes at ${notesTop}`);
    if (Math.abs(height - marginPt - notesEnd) > 5)
      faults.push(`page ${page}: notes end at ${notesEnd} of ${height - marginPt}`);
  }
  const all = sorted(pages.flatMap(({ notes }) => notes));
  if (all !== sorted(Array.from({ length: count }, (_, n) => n))) faults.push(`notes: ${all}`);
  return faults;
}
