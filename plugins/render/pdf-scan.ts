/**
 * Counts the pages, reads the destinations and removes unsafe links of PDFs that Chromium's Skia backend
 * writes. They have a classic cross-reference table and uncompressed dictionaries with a fixed spelling. This
 * is a scan in linear time, not a parser for PDFs that callers send. Source of the spelling:
 * `src/pdf/SkPDFDocument.cpp` and `SkPDFUtils.cpp` of Skia; ISO 32000-1 7.5.4 and 12.6.4.7.
 * @module
 */

import { TimeSlice } from '../../src/plugin.ts';
import { isSiteUrl } from './page/site.ts';
import type { PlacesOfPrint } from './paged/page/places-of-print.ts';

const LINK_ACTION = '/A <</Type /Action\n/S /URI\n/URI ';
const SAFE_SCHEMES = /^(https?|mailto|tel):/i;

/** Counts the pages. @throws when the PDF does not have the form that Skia writes. */
export function countPages(pdf: Buffer): number {
  const { table, catalog } = findCatalog(pdf);
  return Number(match(objectAt(pdf, table, pageTreeOf(catalog)), /\/Count (\d+)/));
}

/** Returns the size of each page in points. @throws when the PDF does not have the form that Skia writes. */
export async function readPageSizes(pdf: Buffer): Promise<{ width: number; height: number }[]> {
  const sizes: { width: number; height: number }[] = [];
  for await (const { object } of eachPage(pdf)) sizes.push(sizeOf(object));
  return sizes;
}

function sizeOf(page: string): { width: number; height: number } {
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page) ?? [];
  return { width: Number(width), height: Number(height) };
}

/**
 * Reads the sizes of the pages and the places of the named destinations. Chromium writes a destination for
 * each element to which a link of the document leads; its name is the fragment of the link.
 * @throws when the PDF does not have the form that Skia writes.
 */
export async function readPlaces(pdf: Buffer): Promise<PlacesOfPrint> {
  const { table, catalog } = findCatalog(pdf);
  const places: PlacesOfPrint = { pages: [], destinations: [], marks: [] };
  const pageOf = new Map<number, number>();
  const hasMarks = pdf.includes(PLACE_LINK);
  for await (const { id, object } of eachPage(pdf)) {
    const size = sizeOf(object);
    places.pages.push(size);
    const page = places.pages.length;
    pageOf.set(id, page);
    if (!hasMarks) continue;
    const links = /\/Annots \[([\d R]*)\]/.exec(object)?.[1]?.split(' 0 R').slice(0, -1) ?? [];
    for (const link of links) {
      const annotation = objectAt(pdf, table, Number(link));
      const [, left, bottom, right, top] = BOX.exec(annotation) ?? [];
      const [, name] = annotation.split(`(${PLACE_LINK}`, 2).map((part) => part.split(')', 1)[0]);
      if (name === undefined || left === undefined) continue;
      const [x, y, width] = [Number(left), size.height - Number(top), Number(right) - Number(left)];
      places.marks.push({ name, page, left: x, top: y, width, height: Number(top) - Number(bottom) });
    }
  }
  const destinations = /\/Dests (\d+) 0 R/.exec(catalog)?.[1];
  if (destinations === undefined) return places;
  const slice = new TimeSlice();
  const listed = objectAt(pdf, table, Number(destinations));
  for (const [, name = '', id, left, bottom] of listed.matchAll(DESTINATION)) {
    if (slice.isOver) await slice.next();
    const page = pageOf.get(Number(id)) ?? 0;
    const top = (places.pages[page - 1]?.height ?? 0) - Number(bottom);
    places.destinations.push({ name: decodeName(name), page, left: Number(left), top });
  }
  return places;
}

/**
 * Returns the start of the content of each of the first pages: `bytes` of it, compressed.
 * @throws when the PDF does not have the form that Skia writes.
 */
export async function readContentStarts(
  pdf: Buffer,
  { maxPages, bytes }: { maxPages: number; bytes: number },
): Promise<Buffer[]> {
  const { table } = findCatalog(pdf);
  const starts: Buffer[] = [];
  for await (const { object } of eachPage(pdf)) {
    const id = /\/Contents (\d+) 0 R/.exec(object)?.[1];
    const offset = id === undefined ? -1 : offsetOf(pdf, table, Number(id));
    const from = offset < 0 ? -1 : pdf.indexOf(STREAM, offset);
    if (from >= 0) starts.push(pdf.subarray(from + STREAM.length, from + STREAM.length + bytes));
    if (starts.length >= maxPages) break;
  }
  return starts;
}

const STREAM = '>> stream\n';

const DESTINATION = /\/([^\s/[]+)\s\[(\d+) 0 R\s\/XYZ (-?[\d.]+) (-?[\d.]+)/g;

/** Precedes the name of a place in the link that marks it while a document is measured. */
export const PLACE_LINK = 'https://place.platen.invalid/';

const BOX = /\/Rect \[(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+)\]/;

/** Decodes the escapes of a name (ISO 32000-1 7.3.5). */
function decodeName(name: string): string {
  return name.replaceAll(/#([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Yields the number and the text of each page object, in the order of the pages. */
async function* eachPage(pdf: Buffer): AsyncGenerator<{ id: number; object: string }> {
  const { table, catalog } = findCatalog(pdf);
  const slice = new TimeSlice();
  const waiting = [pageTreeOf(catalog)];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (slice.isOver) await slice.next();
    const object = objectAt(pdf, table, id);
    const kids = /\/Kids \[([\d R]*)\]/.exec(object)?.[1];
    if (kids === undefined) yield { id, object };
    // Reversed, because the next page is taken from the end of the list.
    else waiting.push(...kids.split(' 0 R').slice(0, -1).map(Number).toReversed());
  }
}

/**
 * Finds the cross-reference table, and the part of the catalog before its first string, which may contain any
 * text.
 */
function findCatalog(pdf: Buffer): { table: number; catalog: string } {
  // The trailer is searched from the end, because strings before it may contain any text.
  const tail = pdf.toString('latin1', Math.max(0, pdf.lastIndexOf('trailer\n<<')));
  const root = match(tail, /\/Root (\d+) 0 R/);
  const table = Number(match(tail, /startxref\s+(\d+)\s+%%EOF\s*$/));
  const [catalog = ''] = objectAt(pdf, table, Number(root)).split('(');
  return { table, catalog };
}

function pageTreeOf(catalog: string): number {
  return Number(match(catalog, /\/Pages (\d+) 0 R/));
}

/** How many bytes are searched between two checks of the clock: a few milliseconds of work. */
const CHUNK_BYTES = 8_000_000;

/**
 * Removes the action of each link with an unsafe scheme (`javascript:`, `data:`, `file:` ...), or to a file
 * beside the document, in place and without changing the length, so that all offsets stay valid. Returns the
 * number of removed links.
 */
export async function removeUnsafeLinks(pdf: Buffer): Promise<number> {
  const slice = new TimeSlice();
  let removed = 0;
  for (let from = 0; from < pdf.length;) {
    if (slice.isOver) await slice.next();
    const piece = pdf.subarray(from, from + CHUNK_BYTES + LINK_ACTION.length);
    const found = piece.indexOf(LINK_ACTION);
    if (found < 0) {
      from += CHUNK_BYTES;
      continue;
    }
    const start = from + found;
    const { text, end } = readString(pdf, start + LINK_ACTION.length);
    from = end;
    if (SAFE_SCHEMES.test(text) && !isSiteUrl(text)) continue;
    // The action ends with `>>` after the string.
    pdf.fill(' ', start, Math.min(end + 2, pdf.length));
    removed += 1;
  }
  return removed;
}

/** Reads the text of an object through the cross-reference table, whose entries have 20 bytes. */
function objectAt(pdf: Buffer, table: number, id: number): string {
  const offset = offsetOf(pdf, table, id);
  return pdf.toString('latin1', offset, pdf.indexOf('\nendobj', offset));
}

function offsetOf(pdf: Buffer, table: number, id: number): number {
  const head = pdf.toString('latin1', table, table + 64);
  const first = match(head, /^xref\n0 \d+\n/, 0);
  const entry = pdf.toString('latin1', table + first.length + id * 20, table + first.length + id * 20 + 10);
  return Number(match(entry, /^\d{10}$/, 0));
}

function match(text: string, pattern: RegExp, group = 1): string {
  const found = pattern.exec(text)?.[group];
  if (found === undefined)
    throw new Error(`Chromium printed a PDF of an unexpected form: ${pattern.source} not found`);
  return found;
}

/** Reads a literal `(…)` or hexadecimal `<…>` string. Returns its text and the offset of its end. */
function readString(pdf: Buffer, start: number): { text: string; end: number } {
  if (pdf[start] === 0x3c) {
    const close = pdf.indexOf('>', start);
    const end = close < 0 ? pdf.length : close + 1;
    return { text: Buffer.from(pdf.toString('latin1', start + 1, end - 1), 'hex').toString('latin1'), end };
  }
  let end = start + 1;
  // Skia escapes every parenthesis and backslash in a literal string, so the first unescaped parenthesis ends
  // it.
  while (end < pdf.length && pdf[end] !== 0x29) end += pdf[end] === 0x5c ? 2 : 1;
  return { text: pdf.toString('latin1', start + 1, end), end: Math.min(end + 1, pdf.length) };
}
