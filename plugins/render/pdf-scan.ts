/**
 * Reads and mends the PDFs that Chromium's Skia backend writes: classic cross-reference table, dictionaries in the clear, one
 * fixed spelling of each. It is a scan of our own renderer's output in linear time, not a parser for PDFs that callers send.
 * Source of the spelling: `src/pdf/SkPDFDocument.cpp` and `SkPDFUtils.cpp` of Skia; ISO 32000-1 7.5.4 and 12.6.4.7.
 * @module
 */

import { TimeSlice } from '../../src/plugin.ts';

const LINK_ACTION = '/A <</Type /Action\n/S /URI\n/URI ';
const SAFE_SCHEMES = /^(https?|mailto|tel):/i;

/** Counts the pages. @throws when the bytes are not of the form that Skia writes. */
export function countPages(pdf: Buffer): number {
  // Searched from the end: a string before it may say anything.
  const tail = pdf.toString('latin1', Math.max(0, pdf.lastIndexOf('trailer\n<<')));
  const root = match(tail, /\/Root (\d+) 0 R/);
  const table = Number(match(tail, /startxref\s+(\d+)\s+%%EOF\s*$/));
  const pages = match(objectAt(pdf, table, Number(root)), /\/Pages (\d+) 0 R/);
  return Number(match(objectAt(pdf, table, Number(pages)), /\/Count (\d+)/));
}

/** How many bytes are searched before other requests have their turn: some milliseconds of work. */
const SEARCHED_AT_ONCE = 8_000_000;

/**
 * Takes the action out of each link whose scheme a reader should not follow (`javascript:`, `data:`, `file:` ...),
 * in place and without a change of length, so that every offset stays right. Returns how many there were.
 */
export async function removeUnsafeLinks(pdf: Buffer): Promise<number> {
  const slice = new TimeSlice();
  let removed = 0;
  for (let from = 0; from < pdf.length;) {
    if (slice.isOver) await slice.next();
    const piece = pdf.subarray(from, from + SEARCHED_AT_ONCE + LINK_ACTION.length);
    const found = piece.indexOf(LINK_ACTION);
    if (found < 0) {
      from += SEARCHED_AT_ONCE;
      continue;
    }
    const start = from + found;
    const { text, end } = readString(pdf, start + LINK_ACTION.length);
    from = end;
    if (SAFE_SCHEMES.test(text)) continue;
    // The string is followed by the `>>` of the action.
    pdf.fill(' ', start, Math.min(end + 2, pdf.length));
    removed += 1;
  }
  return removed;
}

/** Reads one entry of the cross-reference table, 20 bytes each, and the object's text behind it. */
function objectAt(pdf: Buffer, table: number, id: number): string {
  const head = pdf.toString('latin1', table, table + 64);
  const first = match(head, /^xref\n0 \d+\n/, 0);
  const entry = pdf.toString('latin1', table + first.length + id * 20, table + first.length + id * 20 + 10);
  const offset = Number(match(entry, /^\d{10}$/, 0));
  return pdf.toString('latin1', offset, pdf.indexOf('endobj', offset));
}

function match(text: string, pattern: RegExp, group = 1): string {
  const found = pattern.exec(text)?.[group];
  if (found === undefined) throw new Error(`Chromium printed a PDF of an unknown form: no ${pattern.source}`);
  return found;
}

/** Reads a literal `(…)` or hexadecimal `<…>` string and where it ends. */
function readString(pdf: Buffer, start: number): { text: string; end: number } {
  if (pdf[start] === 0x3c) {
    const close = pdf.indexOf('>', start);
    const end = close < 0 ? pdf.length : close + 1;
    return { text: Buffer.from(pdf.toString('latin1', start + 1, end - 1), 'hex').toString('latin1'), end };
  }
  let end = start + 1;
  // Skia escapes every parenthesis and backslash inside a literal, so the first bare one closes it.
  while (end < pdf.length && pdf[end] !== 0x29) end += pdf[end] === 0x5c ? 2 : 1;
  return { text: pdf.toString('latin1', start + 1, end), end: Math.min(end + 1, pdf.length) };
}
