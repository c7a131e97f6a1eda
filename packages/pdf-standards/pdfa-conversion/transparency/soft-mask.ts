import { deflateSync } from 'node:zlib';
import { decodeStream, Dict, name, PdfStream, Ref, resolve, UnpackBudget } from '@platen/pdf/objects';
import { isJpeg2000 } from '../../content/jpeg2000.ts';

/** An imperceptible difference of alpha, in 255ths. */
const TOLERANCE = 2;
/** Larger masks are not simplified. Bitmaps cover the images that have them. */
const MAX_PIXELS = 40_000_000;

/**
 * Simplifies the soft mask of an image: removes a mask without transparent pixels, and replaces a mask whose
 * pixels are fully opaque or fully transparent with an explicit mask (ISO 32000-1 8.9.6.3). Returns true if
 * the image has no soft mask afterwards.
 */
export function simplifySoftMask(image: PdfStream): boolean {
  const { dict } = image;
  // The data of a JPEG 2000 image can have an alpha channel.
  if (isJpeg2000(image)) return false;
  const mask = dict.get('SMask');
  if (!(mask instanceof PdfStream)) {
    dict.delete('SMask');
    return true;
  }
  const alpha = readAlpha(mask);
  if (!alpha || mask.dict.map.has('Matte')) return false;
  if (alpha.data.every((level) => level >= 255 - TOLERANCE)) {
    // The soft mask overrides Mask, so remove both.
    dict.delete('SMask', 'Mask');
    return true;
  }
  if (!alpha.data.every((level) => level <= TOLERANCE || level >= 255 - TOLERANCE)) return false;
  dict.delete('SMask').set('Mask', Ref.to(explicitMaskOf(alpha)));
  return true;
}

interface Alpha {
  width: number;
  height: number;
  data: Uint8Array;
}

function readAlpha(mask: PdfStream): Alpha | undefined {
  const [width, height] = [mask.dict.number('Width') ?? 0, mask.dict.number('Height') ?? 0];
  const bits = mask.dict.number('BitsPerComponent') ?? 8;
  const [first, last] = mask.dict.array('Decode')?.map((item) => resolve(item)) ?? [0, 1];
  if (first !== 0 && first !== 1) return undefined;
  if (last !== 1 - first || (bits !== 8 && bits !== 1)) return undefined;
  if (!(width > 0 && height > 0) || width * height > MAX_PIXELS) return undefined;
  const rowBytes = Math.ceil((width * bits) / 8);
  const raw = decodeStream(mask, new UnpackBudget(4 * MAX_PIXELS));
  if (!raw || raw.length < rowBytes * height) return undefined;
  const invert = first === 1 ? 255 : 0;
  if (bits === 8 && invert === 0) return { width, height, data: raw.subarray(0, width * height) };
  const data = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const level =
        bits === 8
          ? (raw[row * rowBytes + column] ?? 0)
          : ((raw[row * rowBytes + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1
            ? 255
            : 0;
      data[row * width + column] = level ^ invert;
    }
  return { width, height, data };
}

function explicitMaskOf({ width, height, data }: Alpha): PdfStream {
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      // An explicit mask is opaque where its bits are 0.
      if ((data[row * width + column] ?? 0) < 128) {
        const at = row * rowBytes + (column >> 3);
        bits[at] = (bits[at] ?? 0) | (128 >> (column & 7));
      }
    }
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Image'),
    Width: width,
    Height: height,
    ImageMask: true,
    BitsPerComponent: 1,
    Filter: name('FlateDecode'),
  });
  return new PdfStream(dict, deflateSync(bits));
}
