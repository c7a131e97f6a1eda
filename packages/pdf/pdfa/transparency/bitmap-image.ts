import { deflateSync } from 'node:zlib';
import { Dict, name, PdfStream, PdfString, type PdfObject } from '../../objects/index.ts';
import { bmpOf } from '../../images/bmp.ts';
import type { Bitmap } from '../../images/page-renderer.ts';

const MAX_PALETTE = 256;
const JPEG_QUALITY = 90;
/** The largest size of a lossy JPEG relative to the lossless image for which it is worth its loss. */
const JPEG_WORTH = 0.5;
/** Compressed bytes per pixel above which an image is probably a photograph. JPEG would blur the edges of lines and text. */
const PHOTOGRAPHIC = 0.4;

/**
 * Encodes a bitmap as a small image XObject without loss. A photograph becomes a JPEG if that halves its size.
 */
export async function encodeBitmap(bitmap: Bitmap): Promise<PdfStream> {
  const palette = readPalette(bitmap);
  if (palette) return palette.size === 1 ? singleColourImage(palette) : indexedImage(bitmap, palette);
  const exact = rgbImage(bitmap);
  if (exact.raw.length < PHOTOGRAPHIC * bitmap.width * bitmap.height) return exact;
  const jpeg = await jpegOf(bitmap);
  return jpeg.length < exact.raw.length * JPEG_WORTH
    ? image(bitmap, name('DeviceRGB'), jpeg).set('Filter', name('DCTDecode')).end()
    : exact;
}

interface Builder {
  set(key: string, value: PdfObject): Builder;
  end(): PdfStream;
}

function image(
  { width, height }: { width: number; height: number },
  space: PdfObject,
  data: Uint8Array,
): Builder {
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Image'),
    Width: width,
    Height: height,
    ColorSpace: space,
    BitsPerComponent: 8,
    Filter: name('FlateDecode'),
  });
  const builder: Builder = {
    set(key, value) {
      dict.set(key, value);
      return builder;
    },
    end: () => new PdfStream(dict, data),
  };
  return builder;
}

/** Numbers the colours. Returns `undefined` if there are too many. */
function readPalette(bitmap: Bitmap): Map<number, number> | undefined {
  const { width, height } = bitmap;
  const palette = new Map<number, number>();
  const colours = coloursOf(bitmap);
  let last = -1;
  for (let row = 0; row < height; row++) {
    if (equalsRowAbove(bitmap, row)) continue;
    for (let at = row * width; at < (row + 1) * width; at++) {
      const colour = colours[at]! & 0xff_ff_ff;
      if (colour === last) continue;
      last = colour;
      if (palette.has(colour)) continue;
      if (palette.size === MAX_PALETTE) return undefined;
      palette.set(colour, palette.size);
    }
  }
  return palette;
}

function coloursOf({ pixels }: Bitmap): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
}

/** Tells whether a row equals the one above. Most rows of a page do, and comparing them is much faster than reading them. */
function equalsRowAbove({ width, pixels }: Bitmap, row: number): boolean {
  const [start, end] = [row * width * 4, (row + 1) * width * 4];
  if (row === 0) return false;
  return Buffer.compare(pixels.subarray(start, end), pixels.subarray(start - width * 4, start)) === 0;
}

function paletteBytes(palette: Map<number, number>): Buffer {
  return Buffer.from(
    [...palette.keys()].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
}

function singleColourImage(palette: Map<number, number>): PdfStream {
  return image({ width: 1, height: 1 }, name('DeviceRGB'), deflateSync(paletteBytes(palette))).end();
}

function indexedImage(bitmap: Bitmap, palette: Map<number, number>): PdfStream {
  const { width, height } = bitmap;
  const colours = coloursOf(bitmap);
  const data = new Uint8Array(colours.length);
  let [last, number] = [-1, 0];
  for (let row = 0; row < height; row++) {
    const start = row * width;
    if (equalsRowAbove(bitmap, row)) {
      data.copyWithin(start, start - width, start);
      continue;
    }
    for (let at = start; at < start + width; at++) {
      const colour = colours[at]! & 0xff_ff_ff;
      if (colour !== last) [last, number] = [colour, palette.get(colour) ?? 0];
      data[at] = number;
    }
  }
  const lookup = new PdfString(paletteBytes(palette));
  const space = [name('Indexed'), name('DeviceRGB'), palette.size - 1, lookup];
  return image(bitmap, space, deflateSync(data)).end();
}

/** Encodes each row as the difference from the row above (ISO 32000-1 7.4.4.4), because rows of a page are often similar. */
function rgbImage(bitmap: Bitmap): PdfStream {
  const { width, height, pixels } = bitmap;
  const rowBytes = width * 3 + 1;
  const data = new Uint8Array(rowBytes * height);
  const above = new Uint8Array(width * 3);
  let from = 0;
  for (let row = 0; row < height; row++) {
    let to = row * rowBytes;
    data[to++] = 2;
    if (equalsRowAbove(bitmap, row)) {
      from += width * 4;
      continue;
    }
    for (let at = 0; at < above.length; at += 3, from += 4) {
      const [blue, green, red] = [pixels[from]!, pixels[from + 1]!, pixels[from + 2]!];
      data[to++] = red - above[at]!;
      data[to++] = green - above[at + 1]!;
      data[to++] = blue - above[at + 2]!;
      above[at] = red;
      above[at + 1] = green;
      above[at + 2] = blue;
    }
  }
  const parameters = Dict.of({ Predictor: 15, Colors: 3, BitsPerComponent: 8, Columns: width });
  return image(bitmap, name('DeviceRGB'), deflateSync(data)).set('DecodeParms', parameters).end();
}

function jpegOf(bitmap: Bitmap): Promise<Uint8Array> {
  return new Bun.Image(bmpOf(bitmap)).jpeg({ quality: JPEG_QUALITY }).bytes();
}
