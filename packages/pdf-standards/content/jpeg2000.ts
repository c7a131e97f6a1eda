import { decodeStream, PdfStream, UnpackBudget } from '@platen/pdf/objects';
import { filtersOf } from '../limits/stream-filters.ts';

// The types of boxes: `jP  `, `jp2h`, `ihdr` and `colr`.
const SIGNATURE = 0x6a_50_20_20;
const HEADER = 0x6a_70_32_68;
const IMAGE_HEADER = 0x69_68_64_72;
const COLOUR = 0x63_6f_6c_72;
const MAX_BOXES = 100;
const MAX_BYTES = 100_000_000;
/** The number of bits in the image header if channels have different numbers of bits. */
const BITS_VARY = 255;
const MAX_BITS = 38;
/** The enumerated colour space CMYK, and CIEJab, which PDF/A forbids. */
const CMYK = 12;
const CIE_JAB = 19;

/** Tells whether an image is compressed with JPEG 2000. */
export function isJpeg2000(image: PdfStream): boolean {
  return filtersOf(image).at(-1) === 'JPXDecode';
}

/**
 * Tells whether ISO 19005-2 6.2.8.3 allows a JPEG 2000 image. It must have 1, 3 or 4 channels with the same
 * number of bits, and a colour space in the image dictionary or an allowed one in its data.
 */
export function isAllowedJpeg2000(
  image: PdfStream,
  budget: UnpackBudget = new UnpackBudget(MAX_BYTES),
): boolean {
  const boxes = boxesOf(image, budget);
  const header = boxes?.find(({ type }) => type === IMAGE_HEADER)?.data;
  if (!boxes || !header || header.length < 14) return false;
  const channels = header.readUInt16BE(8);
  const bits = header[10];
  if (![1, 3, 4].includes(channels) || bits === undefined || bits === BITS_VARY) return false;
  // The highest bit tells whether the values are signed, and the others the number of bits less one.
  if ((bits & 127) >= MAX_BITS) return false;
  if (image.dict.get('ColorSpace')) return true;
  const colour = colourIn(boxes);
  if (!colour || colour.length < 3) return false;
  const method = colour[0] ?? 0;
  return method === 1
    ? colour.length >= 7 && colour.readUInt32BE(3) !== CIE_JAB
    : method === 2 || method === 3;
}

/**
 * Tells whether a JPEG 2000 image without a colour space in its dictionary has the colours of `DeviceCMYK`.
 */
export function isInDeviceCmyk(
  image: PdfStream,
  budget: UnpackBudget = new UnpackBudget(MAX_BYTES),
): boolean {
  if (!isJpeg2000(image) || image.dict.get('ColorSpace')) return false;
  const colour = colourIn(boxesOf(image, budget) ?? []);
  return colour?.[0] === 1 && colour.length >= 7 && colour.readUInt32BE(3) === CMYK;
}

/**
 * Returns the colour specification of an image. Among several, exactly one must be marked with the
 * approximation 1, which is then used.
 */
function colourIn(boxes: readonly Box[]): Buffer | undefined {
  const colours = boxes.filter(({ type }) => type === COLOUR).map((box) => box.data);
  const accurate = colours.filter((colour) => colour[2] === 1);
  if (colours.length === 1) return colours[0];
  return accurate.length === 1 ? accurate[0] : undefined;
}

/** Reads the boxes of the header of an image. */
function boxesOf(image: PdfStream, budget: UnpackBudget): Box[] | undefined {
  const data = filtersOf(image).length === 1 ? image.raw : decodeBefore(image, budget);
  return data && headerBoxes(Buffer.from(data.buffer, data.byteOffset, data.length));
}

/** Decodes the filters before JPEG 2000. */
function decodeBefore({ dict, raw }: PdfStream, budget: UnpackBudget): Uint8Array | undefined {
  const filters = dict.array('Filter')?.slice(0, -1) ?? [];
  return decodeStream(
    new PdfStream(dict.copy().set('Filter', filters).delete('DecodeParms'), () => raw),
    budget,
  );
}

interface Box {
  type: number;
  data: Buffer;
}

/** Reads the boxes of the header of a JP2 file (ISO 15444-1 annex I). */
function headerBoxes(file: Buffer): Box[] | undefined {
  const boxes = readBoxes(file);
  if (boxes[0]?.type !== SIGNATURE) return undefined;
  const header = boxes.find(({ type }) => type === HEADER);
  return header && readBoxes(header.data);
}

function readBoxes(data: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= data.length && boxes.length < MAX_BOXES;) {
    const size = data.readUInt32BE(at);
    // Size 1 means that a long size follows; size 0, that the box extends to the end of the file.
    const long = size === 1 && at + 16 <= data.length ? Number(data.readBigUInt64BE(at + 8)) : 0;
    const length = size === 1 ? long : size === 0 ? data.length - at : size;
    const start = at + (size === 1 ? 16 : 8);
    if (length < start - at) break;
    boxes.push({ type: data.readUInt32BE(at + 4), data: data.subarray(start, at + length) });
    at += length;
  }
  return boxes;
}
