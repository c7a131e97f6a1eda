import { constants, createDeflate, deflateSync } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { Dict, name, PdfStream, PdfString, type PdfObject } from '@platen/pdf/objects';
import { bmpOf } from '@platen/pdf/images';
import type { Bitmap } from '@platen/pdf/images';
import { coloursOf, equalsRowAbove, paletteOf, type Palette } from './palette.ts';
import { fitResolution } from './resolution.ts';

const JPEG_QUALITY = 88;
/**
 * An image that needs more compressed bytes per pixel is probably a photograph. JPEG would blur the lines and
 * text of other images.
 */
const MIN_PHOTOGRAPH_BYTES_PER_PIXEL = 0.15;
/** The number of bytes to compress at a time. A whole image can take 36 MB. */
const BAND_BYTES = 1_000_000;
/** One band in this many is compressed to estimate whether the image is a photograph. */
const SAMPLE_INTERVAL = 8;

/**
 * Encodes a bitmap as a small image XObject: a bitmap of few colours with a palette, a photograph as a JPEG,
 * and any other bitmap without loss. Without a palette, lowers the resolution as far as the content allows.
 * May overwrite the pixels of the bitmap.
 */
export async function encodeBitmap(bitmap: Bitmap): Promise<PdfStream> {
  const palette = paletteOf(bitmap);
  if (palette)
    return palette.entries.length === 1 ? singleColourImage(palette) : indexedImage(bitmap, palette);
  const fitted = fitResolution(bitmap);
  return isPhotograph(fitted) ? jpegImage(fitted) : rgbImage(fitted);
}

function imageDict({ width, height }: { width: number; height: number }, space: PdfObject): Dict {
  return Dict.of({
    Type: name('XObject'),
    Subtype: name('Image'),
    Width: width,
    Height: height,
    ColorSpace: space,
    BitsPerComponent: 8,
    Filter: name('FlateDecode'),
  });
}

function lookupOf({ entries }: Palette): Buffer {
  return Buffer.from(entries.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
}

function singleColourImage(palette: Palette): PdfStream {
  const dict = imageDict({ width: 1, height: 1 }, name('DeviceRGB'));
  return new PdfStream(dict, deflateSync(lookupOf(palette)));
}

async function indexedImage(bitmap: Bitmap, palette: Palette): Promise<PdfStream> {
  const lookup = new PdfString(lookupOf(palette));
  const space = [name('Indexed'), name('DeviceRGB'), palette.entries.length - 1, lookup];
  return new PdfStream(imageDict(bitmap, space), await deflateBands(indexedBands(bitmap, palette)));
}

function* indexedBands(bitmap: Bitmap, { entryOf }: Palette): Iterable<Uint8Array> {
  const { width, height } = bitmap;
  const colours = coloursOf(bitmap);
  for (const { first, rows } of bandsOf(width, height)) {
    const band = new Uint8Array(width * rows);
    let [last, entry] = [-1, 0];
    for (let row = 0; row < rows; row++) {
      const start = row * width;
      if (row > 0 && equalsRowAbove(bitmap, first + row)) {
        band.copyWithin(start, start - width, start);
        continue;
      }
      const from = (first + row) * width;
      for (let at = 0; at < width; at++) {
        const colour = (colours[from + at] ?? 0) & 0xff_ff_ff;
        if (colour !== last) [last, entry] = [colour, entryOf.get(colour) ?? 0];
        band[start + at] = entry;
      }
    }
    yield band;
  }
}

async function rgbImage(bitmap: Bitmap): Promise<PdfStream> {
  const data = await deflateBands(rgbBands(bitmap));
  const parameters = Dict.of({ Predictor: 15, Colors: 3, BitsPerComponent: 8, Columns: bitmap.width });
  return new PdfStream(imageDict(bitmap, name('DeviceRGB')).set('DecodeParms', parameters), data);
}

function* rgbBands(bitmap: Bitmap): Iterable<Uint8Array> {
  for (const { first, rows } of bandsOf(bitmap.width * 3, bitmap.height)) yield rgbBand(bitmap, first, rows);
}

/**
 * Encodes each row as the difference from the row above (ISO 32000-1 7.4.4.4), because rows of a page are
 * often similar.
 */
function rgbBand(bitmap: Bitmap, first: number, rows: number): Uint8Array {
  const { width, pixels } = bitmap;
  const band = new Uint8Array((width * 3 + 1) * rows);
  let to = 0;
  for (let row = first; row < first + rows; row++) {
    band[to++] = 2;
    if (equalsRowAbove(bitmap, row)) {
      to += 3 * width;
      continue;
    }
    const above = row === 0 ? pixels.length : width * 4;
    for (let at = row * width * 4; at < (row + 1) * width * 4; at += 4) {
      band[to++] = (pixels[at + 2] ?? 0) - (pixels[at + 2 - above] ?? 0);
      band[to++] = (pixels[at + 1] ?? 0) - (pixels[at + 1 - above] ?? 0);
      band[to++] = (pixels[at] ?? 0) - (pixels[at - above] ?? 0);
    }
  }
  return band;
}

function* bandsOf(rowBytes: number, height: number): Iterable<{ first: number; rows: number }> {
  const bandRows = Math.max(1, Math.floor(BAND_BYTES / rowBytes));
  for (let first = 0; first < height; first += bandRows)
    yield { first, rows: Math.min(bandRows, height - first) };
}

async function deflateBands(bands: Iterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  await pipeline(bands, createDeflate(), async (compressed: AsyncIterable<Buffer>) => {
    for await (const part of compressed) parts.push(part);
  });
  return Buffer.concat(parts);
}

/** Estimates from a part of the bitmap whether it is a photograph. */
function isPhotograph(bitmap: Bitmap): boolean {
  let [pixels, bytes] = [0, 0];
  const bands = [...bandsOf(bitmap.width * 3, bitmap.height)];
  for (
    let index = Math.floor(Math.min(SAMPLE_INTERVAL, bands.length) / 2);
    index < bands.length;
    index += SAMPLE_INTERVAL
  ) {
    const { first, rows } = bands[index] ?? { first: 0, rows: 1 };
    pixels += bitmap.width * rows;
    bytes += deflateSync(rgbBand(bitmap, first, rows), { level: constants.Z_BEST_SPEED }).length;
  }
  return bytes > MIN_PHOTOGRAPH_BYTES_PER_PIXEL * pixels;
}

async function jpegImage(bitmap: Bitmap): Promise<PdfStream> {
  const data = await new Bun.Image(bmpOf(bitmap)).jpeg({ quality: JPEG_QUALITY }).bytes();
  return new PdfStream(imageDict(bitmap, name('DeviceRGB')).set('Filter', name('DCTDecode')), data);
}
