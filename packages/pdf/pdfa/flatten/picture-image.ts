import { deflateSync } from 'node:zlib';
import { Dict, name, PdfStream, PdfString, type PdfObject } from '../../objects/index.ts';
import type { Picture } from './draw-pages.ts';

const MAX_PALETTE = 256;
const JPEG_QUALITY = 90;
/** What a photograph must save as JPEG, which changes it a little. */
const JPEG_WORTH = 0.5;
/** Bytes a pixel that lines, letters and smooth colours do not take, and photographs do. JPEG would blur their edges. */
const PHOTOGRAPHIC = 0.4;
const BMP_HEADER_BYTES = 54;

/**
 * Makes an image XObject of a picture, as small as it can be without a change; a photograph, whose colours are many, becomes a JPEG
 * where that is half as large.
 */
export async function imageOf(picture: Picture): Promise<PdfStream> {
  const palette = readPalette(picture);
  if (palette) return palette.size === 1 ? imageOfOneColour(palette) : indexedImage(picture, palette);
  const exact = rgbImage(picture);
  if (exact.raw.length < PHOTOGRAPHIC * picture.width * picture.height) return exact;
  const jpeg = await jpegOf(picture);
  return jpeg.length < exact.raw.length * JPEG_WORTH
    ? image(picture, name('DeviceRGB'), jpeg).set('Filter', name('DCTDecode')).end()
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

/** Numbers the colours; `undefined` when there are too many. */
function readPalette(picture: Picture): Map<number, number> | undefined {
  const { width, height } = picture;
  const palette = new Map<number, number>();
  const colours = coloursOf(picture);
  let last = -1;
  for (let row = 0; row < height; row++) {
    if (isLikeAbove(picture, row)) continue;
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

function coloursOf({ pixels }: Picture): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
}

/** Most rows of a page are as the one above, and compared much faster than read. */
function isLikeAbove({ width, pixels }: Picture, row: number): boolean {
  const [start, end] = [row * width * 4, (row + 1) * width * 4];
  if (row === 0) return false;
  return Buffer.compare(pixels.subarray(start, end), pixels.subarray(start - width * 4, start)) === 0;
}

function paletteBytes(palette: Map<number, number>): Buffer {
  return Buffer.from(
    [...palette.keys()].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
}

function imageOfOneColour(palette: Map<number, number>): PdfStream {
  return image({ width: 1, height: 1 }, name('DeviceRGB'), deflateSync(paletteBytes(palette))).end();
}

function indexedImage(picture: Picture, palette: Map<number, number>): PdfStream {
  const { width, height } = picture;
  const colours = coloursOf(picture);
  const data = new Uint8Array(colours.length);
  let [last, number] = [-1, 0];
  for (let row = 0; row < height; row++) {
    const start = row * width;
    if (isLikeAbove(picture, row)) {
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
  return image(picture, space, deflateSync(data)).end();
}

/** Each row as its difference from the one above (ISO 32000-1 7.4.4.4): what a page has is the same over many rows. */
function rgbImage(picture: Picture): PdfStream {
  const { width, height, pixels } = picture;
  const rowBytes = width * 3 + 1;
  const data = new Uint8Array(rowBytes * height);
  const above = new Uint8Array(width * 3);
  let from = 0;
  for (let row = 0; row < height; row++) {
    let to = row * rowBytes;
    data[to++] = 2;
    if (isLikeAbove(picture, row)) {
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
  return image(picture, name('DeviceRGB'), deflateSync(data)).set('DecodeParms', parameters).end();
}

function jpegOf(picture: Picture): Promise<Uint8Array> {
  return new Bun.Image(bmpOf(picture)).jpeg({ quality: JPEG_QUALITY }).bytes();
}

/** A Windows bitmap with 32 bits a pixel and rows from the top: the pixels as they are behind a header. */
function bmpOf({ width, height, pixels }: Picture): Uint8Array {
  const file = Buffer.alloc(BMP_HEADER_BYTES + pixels.length);
  file.write('BM', 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(BMP_HEADER_BYTES, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(-height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(32, 28);
  file.writeUInt32LE(pixels.length, 34);
  file.set(pixels, BMP_HEADER_BYTES);
  return file;
}
