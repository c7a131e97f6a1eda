import type { SharpOptions } from 'sharp';
import type { Sharp } from '../images/sharp.ts';
import {
  decodeStream,
  Dict,
  filterNames,
  name,
  Name,
  PdfStream,
  resolve,
  UnpackBudget,
  type PdfObject,
} from '../objects/index.ts';
import type { DisplayedSize } from './image-sizes.ts';
import { pngStream } from './png-stream.ts';

export interface ImageReduction {
  /** The resolution to which images are downsampled. */
  dpi: number;
  /** The quality of JPEG, from 1 to 100. */
  quality: number;
}

/** The pixels of an image with eight bits per sample. */
interface Samples {
  /** Raw samples, or a JPEG. */
  source: Uint8Array;
  /** The layout of raw samples; `undefined` for a JPEG. */
  raw?: { width: number; height: number; channels: 1 | 3 };
  channels: 1 | 3;
}

const POINTS_PER_INCH = 72;
/**
 * Options for smaller files at the same quality: MozJPEG's table for structural similarity, and progressive
 * JPEG (ISO 32000-1 7.4.8), which saves 6 % more.
 */
const JPEG_OPTIONS = {
  trellisQuantisation: true,
  quantisationTable: 2,
  optimiseCoding: true,
  progressive: true,
  optimiseScans: true,
};
/** The increase of the quality that the table needs for the same similarity. */
const ADDED_QUALITY = 3;
const MAX_QUALITY = 100;
/** With this kernel, downsampling keeps the edges of text sharp. */
const KERNEL = 'lanczos3';
/** Images with less data are kept. */
const MIN_BYTES = 2_000;
const MAX_PIXELS = 150_000_000;
const MAX_SIDE = 30_000;
/** The maximum size of decoded samples, which are held in memory. */
const MAX_RAW_BYTES = 200_000_000;
const MIN_BUDGET_BYTES = 30_000_000;
/** An image is downsampled if its resolution exceeds the requested one by this factor. */
const MIN_FACTOR = 1.1;
/**
 * A JPEG that keeps its number of pixels is replaced only by a JPEG of at most this share of its size,
 * because encoding loses quality.
 */
const MAX_SAME_SIZE_RATIO = 0.8;
/**
 * A JPEG replaces lossless data only if it has at most this share of its size. Otherwise the image is line
 * art, which JPEG blurs.
 */
const MAX_LOSSY_RATIO = 0.5;

/**
 * Downsamples and re-encodes an image. Returns `undefined` if the image should be kept, because it would not
 * be smaller or its encoding or colour space is not supported. Bitonal, indexed, CMYK and JPEG 2000 images
 * are kept.
 * @param displayed the size at which the image is displayed; without it, the image keeps its number of pixels
 */
export async function reduceImage(
  sharp: Sharp,
  image: PdfStream,
  { displayed, dpi, quality }: ImageReduction & { displayed: DisplayedSize | undefined },
): Promise<PdfStream | undefined> {
  const { dict } = image;
  const [width, height] = [dict.number('Width') ?? 0, dict.number('Height') ?? 0];
  const isUsable =
    width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS;
  if (!isUsable || !isSupported(dict) || image.raw.length < MIN_BYTES) return undefined;
  const samples = await readSamples(sharp, image, { width, height });
  if (!samples) return undefined;
  const size = targetSize({ width, height }, displayed, dpi);
  const isSmaller = size.width < width;
  const options: SharpOptions = {
    limitInputPixels: MAX_PIXELS,
    ignoreIcc: true,
    failOn: 'error',
    ...(samples.raw && { raw: samples.raw }),
  };
  const pixels = sharp(samples.source, options).toColourspace(samples.channels === 1 ? 'b-w' : 'srgb');
  if (isSmaller) pixels.resize({ ...size, fit: 'fill', kernel: KERNEL });
  const jpeg = await pixels
    .clone()
    .jpeg({ quality: Math.min(MAX_QUALITY, quality + ADDED_QUALITY), ...JPEG_OPTIONS })
    .toBuffer();
  const entries = { Width: size.width, Height: size.height, BitsPerComponent: 8 };
  const like = dict.copy().delete('DecodeParms', 'DP', 'F', 'Length');
  const lossy = new PdfStream(withEntries(like, { ...entries, Filter: name('DCTDecode') }), jpeg);
  if (!samples.raw) {
    const limit = isSmaller ? 1 : MAX_SAME_SIZE_RATIO;
    return jpeg.length < image.raw.length * limit ? lossy : undefined;
  }
  const png = await pixels.png({ compressionLevel: 9, adaptiveFiltering: true, palette: false }).toBuffer();
  const { data, parameters } = pngStream(png, { width: size.width, channels: samples.channels });
  const lossless = new PdfStream(
    withEntries(like, { ...entries, Filter: name('FlateDecode'), DecodeParms: parameters }),
    data,
  );
  const best = jpeg.length < data.length * MAX_LOSSY_RATIO ? lossy : lossless;
  return best.raw.length < image.raw.length ? best : undefined;
}

function withEntries(dict: Dict, entries: Readonly<Record<string, PdfObject>>): Dict {
  const copy = dict.copy();
  for (const [key, value] of Object.entries(entries)) copy.set(key, value);
  return copy;
}

/**
 * Tells whether an image can be re-encoded. Stencil masks cannot, nor images with colour keys and mattes,
 * which refer to exact samples.
 */
function isSupported(dict: Dict): boolean {
  if (dict.get('ImageMask') === true || Array.isArray(dict.get('Mask')) || dict.map.has('Matte'))
    return false;
  return dict.dict('SMask')?.map.has('Matte') !== true;
}

function targetSize(
  { width, height }: { width: number; height: number },
  displayed: DisplayedSize | undefined,
  dpi: number,
): { width: number; height: number } {
  if (!displayed) return { width, height };
  const wanted = (points: number) => (points * dpi) / POINTS_PER_INCH;
  const scale = Math.max(wanted(displayed.width) / width, wanted(displayed.height) / height);
  if (!(scale * MIN_FACTOR < 1)) return { width, height };
  // Round down, because libjpeg scales by whole factors quickly while it decodes.
  const reduced = (side: number) => Math.max(1, Math.floor(side * scale + 0.001));
  return { width: reduced(width), height: reduced(height) };
}

async function readSamples(
  sharp: Sharp,
  image: PdfStream,
  { width, height }: { width: number; height: number },
): Promise<Samples | undefined> {
  const { dict } = image;
  const channels = channelsOf(dict.get('ColorSpace'));
  if (channels === undefined) return undefined;
  const filters = filterNames(image);
  // Twice, because a filter may precede Flate; PNG predictors add a byte for each row.
  const budget = new UnpackBudget(2 * width * height * channels + MIN_BUDGET_BYTES);
  if (filters.at(-1) === 'DCTDecode') {
    const jpeg = filters.length === 1 ? image.raw : decodeStream(withoutLastFilter(image), budget);
    if (!jpeg || hasColorTransform(dict)) return undefined;
    const found = await sharp(jpeg, { limitInputPixels: MAX_PIXELS }).metadata();
    const isAsDeclared = found.width === width && found.height === height && found.channels === channels;
    return isAsDeclared ? { source: jpeg, channels } : undefined;
  }
  if (dict.number('BitsPerComponent') !== 8 || width * height * channels > MAX_RAW_BYTES) return undefined;
  const data = decodeStream(image, budget);
  if (!data || data.length < width * height * channels) return undefined;
  return {
    source: data.subarray(0, width * height * channels),
    raw: { width, height, channels },
    channels,
  };
}

/** Returns the number of components of a colour space whose samples can be averaged. */
function channelsOf(space: PdfObject | undefined): 1 | 3 | undefined {
  const [family, parameter] = Array.isArray(space) ? space.map(resolve) : [space];
  switch (family instanceof Name ? family.value : '') {
    case 'DeviceGray':
    case 'CalGray':
    case 'G':
      return 1;
    case 'DeviceRGB':
    case 'CalRGB':
    case 'RGB':
      return 3;
    case 'ICCBased': {
      const components = parameter instanceof PdfStream ? parameter.dict.number('N') : undefined;
      return components === 1 || components === 3 ? components : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns a copy of an image with at least two filters, without the last filter. */
function withoutLastFilter(image: PdfStream): PdfStream {
  const dict = image.dict.copy();
  for (const key of ['Filter', 'DecodeParms']) dict.set(key, dict.array(key)?.slice(0, -1));
  return new PdfStream(dict, () => image.raw);
}

/**
 * Tells whether the decode parameters declare a colour transformation, which can differ from that of the
 * JPEG.
 */
function hasColorTransform(dict: Dict): boolean {
  const parameters = dict.get('DecodeParms');
  const all = Array.isArray(parameters) ? parameters.map(resolve) : [parameters];
  return all.some((item) => item instanceof Dict && item.map.has('ColorTransform'));
}
