import { decodeStream, PdfStream, UnpackBudget } from '../../objects/index.ts';
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
/** The enumerated colour space CIEJab, which PDF/A forbids. */
const CIE_JAB = 19;

/** Tells whether an image is compressed with JPEG 2000. */
export function isJpeg2000(image: PdfStream): boolean {
  return filtersOf(image).at(-1) === 'JPXDecode';
}

/**
 * Tells whether ISO 19005-2 6.2.8.3 allows a JPEG 2000 image. It must have 1, 3 or 4 channels with the same number of bits, and a colour space
 * in the image dictionary or a single allowed one in its data.
 */
export function isAllowedJpeg2000(
  image: PdfStream,
  budget: UnpackBudget = new UnpackBudget(MAX_BYTES),
): boolean {
  const filters = filtersOf(image);
  const data = filters.length === 1 ? image.raw : decodeBefore(image, budget);
  const boxes = data && headerBoxes(Buffer.from(data.buffer, data.byteOffset, data.length));
  const header = boxes?.find(({ type }) => type === IMAGE_HEADER)?.data;
  if (!boxes || !header || header.length < 14) return false;
  const channels = header.readUInt16BE(8);
  const bits = header[10];
  if (![1, 3, 4].includes(channels) || bits === BITS_VARY) return false;
  if (image.dict.get('ColorSpace')) return true;
  const colours = boxes.filter(({ type }) => type === COLOUR).map((box) => box.data);
  const [colour] = colours;
  if (!colour || colours.length > 1 || colour.length < 3) return false;
  const method = colour[0] ?? 0;
  return method === 1
    ? colour.length >= 7 && colour.readUInt32BE(3) !== CIE_JAB
    : method === 2 || method === 3;
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
