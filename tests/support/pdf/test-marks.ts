import { expect } from 'bun:test';
import { pdfInfo, rasterise } from './pdf.ts';

/** The grey of the mark of a test document, and how far a renderer may deviate from it. */
const GREY = 127;
const DEVIATION = 4;
/** The least part of a page that the mark covers. */
const LEAST_COVERED = 0.005;

/** Tells for each page whether poppler shows the mark of a test document on it. */
export async function markedPages(pdf: Uint8Array): Promise<boolean[]> {
  return (await rasterise(pdf)).map(showsMark);
}

/** Tells whether an image shows the mark. `data` has four bytes per pixel. */
export function showsMark({ width, height, data }: { width: number; height: number; data: Buffer }): boolean {
  let marked = 0;
  for (let at = 0; at < data.length; at += 4)
    if ([0, 1, 2].every((channel) => Math.abs((data[at + channel] ?? 0) - GREY) <= DEVIATION)) marked += 1;
  return marked / (width * height) > LEAST_COVERED;
}

/** Expects the mark on every page, and the keyword TEST in the metadata. */
export async function expectMarked(pdf: Uint8Array): Promise<void> {
  const pages = await markedPages(pdf);
  expect(pages).toEqual(pages.map(() => true));
  expect((await pdfInfo(pdf))['Keywords']).toContain('TEST');
}
