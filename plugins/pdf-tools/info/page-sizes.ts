import { resolve, type Page, type PdfObject } from '../../../src/pdf/pdf.ts';

/** A size in points, as a reader shows the page: cropped and turned; and how many pages have it. */
export interface PageSize {
  width: number;
  height: number;
  count: number;
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

const LETTER: Box = [0, 0, 612, 792];

/** Counts the distinct sizes of pages, in the order in which they first occur. */
export function measurePages(pages: readonly Page[]): PageSize[] {
  const sizes = new Map<string, PageSize>();
  for (const page of pages) {
    const [width, height] = measure(page);
    const key = `${width} ${height}`;
    const known = sizes.get(key);
    if (known) known.count++;
    else sizes.set(key, { width, height, count: 1 });
  }
  return [...sizes.values()];
}

function measure({ dict, inherited }: Page): [width: number, height: number] {
  const entry = (key: string) => {
    const own = dict.get(key);
    return own === undefined || own === null ? resolve(inherited.get(key)) : own;
  };
  const media = readBox(entry('MediaBox')) ?? LETTER;
  const visible = intersect(media, readBox(entry('CropBox')) ?? media);
  const unit = dict.number('UserUnit') ?? 1;
  const rotation = entry('Rotate');
  const width = rounded((visible[2] - visible[0]) * unit);
  const height = rounded((visible[3] - visible[1]) * unit);
  return typeof rotation === 'number' && Math.abs(rotation % 180) === 90 ? [height, width] : [width, height];
}

function readBox(value: PdfObject | undefined): Box | undefined {
  if (!Array.isArray(value) || value.length < 4) return undefined;
  const [a, b, c, d] = value.map((item) => resolve(item));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return undefined;
  // Any two opposite corners make a box.
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[2] > box[0] && box[3] > box[1] ? box : undefined;
}

/** A crop box that lies outside the media box has no say. */
function intersect(media: Box, crop: Box): Box {
  const box: Box = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  return box[2] > box[0] && box[3] > box[1] ? box : media;
}

function rounded(points: number): number {
  return Math.round(points * 1000) / 1000;
}
