import type { PNG } from 'pngjs';
import { pageCount, perceivedDifference, pdfStructure, qpdfCheck, rasterise } from '../support/pdf/pdf.ts';
import { takeCensus, type Census } from './census.ts';

const DPI = 36;
/** The fraction of the pixels of a page that may change. */
const MAX_CHANGED = 0.004;

/** A file, its pages as poppler draws them, and its contents as qpdf reads them. */
export interface Inspected {
  pdf: Buffer;
  images: PNG[];
  census: Census;
}

/** Inspects a file. */
export async function inspect(pdf: Buffer): Promise<Inspected> {
  const [images, census] = await Promise.all([rasterise(pdf, { dpi: DPI }), takeCensus(pdf)]);
  return { pdf, images, census };
}

/** Tells whether a page has a label other than its number. */
export function hasLabels({ labels }: Census): boolean {
  return labels.some((label, page) => label !== `${page + 1}`);
}

/** Returns the labels that readers show for pages without labels: their numbers. */
export function counted(pages: number): string[] {
  return Array.from({ length: pages }, (_, page) => `${page + 1}`);
}

/**
 * Returns the faults that qpdf finds in a result, unless it also finds faults in the source, because
 * operations keep damaged streams.
 */
export async function syntaxFaults(pdf: Uint8Array, source?: Uint8Array): Promise<string[]> {
  const faultsOf = (file: Uint8Array) =>
    qpdfCheck(file).then(
      () => [],
      (error: unknown) => [String(error).split('\n').slice(0, 4).join(' ')],
    );
  const faults = await faultsOf(pdf);
  return faults.length > 0 && source && (await faultsOf(source)).length > 0 ? [] : faults;
}

/**
 * Compares a result with the images and contents that it should have, and returns the differences. See
 * {@link syntaxFaults} for `source`.
 */
export async function compare(
  pdf: Uint8Array,
  images: PNG[],
  { source, ...expected }: Partial<Census> & { source?: Uint8Array },
): Promise<string[]> {
  const faults: string[] = [];
  const pages = await pageCount(pdf);
  if (pages !== images.length) faults.push(`${pages} pages, not ${images.length}`);
  faults.push(...(await syntaxFaults(pdf, source)));
  const census = await takeCensus(pdf);
  if (expected.links !== undefined && census.links !== expected.links)
    faults.push(`${census.links} links, not ${expected.links}`);
  if (expected.bookmarks !== undefined && census.bookmarks !== expected.bookmarks)
    faults.push(`${census.bookmarks} bookmarks, not ${expected.bookmarks}`);
  // Duplicate names are renamed, so only the number of fields must match.
  if (expected.fields !== undefined && census.fields.length !== expected.fields.length)
    faults.push(`${census.fields.length} fields, not ${expected.fields.length}`);
  if (expected.labels !== undefined && census.labels.join() !== expected.labels.join())
    faults.push(`labels ${census.labels.join()}, not ${expected.labels.join()}`);
  const difference = perceivedDifference(await rasterise(pdf, { dpi: DPI }), images);
  const changed = difference.pages.filter((page) => page.changed > page.pixels * MAX_CHANGED);
  for (const { page, changed: count, pixels } of changed)
    faults.push(`page ${page}: ${count} of ${pixels} pixels changed`);
  return faults;
}

/** Returns the text in structure order; empty for an untagged file. */
export async function taggedText(pdf: Uint8Array): Promise<string> {
  const lines = await pdfStructure(pdf);
  return lines
    .filter((line) => /^\s*"/.test(line))
    .map((line) => line.trim())
    .join('\n');
}
