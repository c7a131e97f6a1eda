import { pageTreeOf } from '../edit/edit.ts';
import { removeSignatures } from '../forms/flatten/remove-signatures.ts';
import { isSigned } from '../edit/signed.ts';
import { loadSharp } from '../images/sharp.ts';
import {
  findDuplicates,
  informationOf,
  InputFault,
  metadataWithoutClaims,
  PdfStream,
  reach,
  readPages,
  Ref,
  writePdf,
  type Page,
  type PdfDocument,
} from '../objects/index.ts';
import { measureImages, type DisplayedSize } from './image-sizes.ts';
import { packStreams } from './pack-streams.ts';
import { reduceImage, type ImageReduction } from './reduce-image.ts';

/** The settings of a compression. */
export interface CompressionRequest extends ImageReduction {
  /** Compresses a signed document too: its signatures become stamps. */
  allowSignatureLoss: boolean;
}

/**
 * Writes a smaller document: downsamples and re-encodes images, stores equal streams once, compresses
 * streams, and omits unused objects. Removes claims of PDF/A and PDF/UA, and encryption. The result can be
 * larger than the file. Changes the document, which must not be used afterwards.
 * @throws {InputFault} if the document is signed and the request does not allow its signatures to be lost.
 */
export async function compressDocument(document: PdfDocument, request: CompressionRequest): Promise<Buffer> {
  if (isSigned(document) && !request.allowSignatureLoss)
    throw new InputFault(
      'pdf',
      'is signed, and compressing it would invalidate its signatures; send allow_signature_loss: true to compress it anyway',
    );
  removeSignatures(document);
  const { pages } = readPages(document);
  const root = rootOf(document, pages);
  const duplicates = findDuplicates(root);
  const sizes = joinSizes(measureImages(document, pages), duplicates);
  const used = reach(root, duplicates);
  await reduceImages(used, sizes, request);
  packStreams(document, used);
  return writePdf({
    root,
    info: informationOf(document),
    version: document.version < MIN_VERSION ? MIN_VERSION : document.version,
    compact: true,
    substitutes: duplicates,
  });
}

/** The maximum number of images that are reduced at the same time. */
const MAX_AT_ONCE = 2;
/**
 * The maximum number of pixels of several images that are reduced at the same time. A single image can have
 * more.
 */
const MAX_PIXELS_AT_ONCE = 40_000_000;
/** The first PDF version with object streams. */
const MIN_VERSION = '1.5';

/**
 * Gives the catalog a new page tree without thumbnails, and metadata without claims. Returns a reference to
 * the catalog.
 */
function rootOf(document: PdfDocument, pages: readonly Page[]): Ref {
  const { catalog, trailer } = document;
  const changed = new Map(
    pages
      .filter(({ dict }) => dict.map.has('Thumb'))
      .map((page) => [page, page.dict.copy().delete('Thumb')] as const),
  );
  catalog.set('Metadata', metadataWithoutClaims(document) ?? catalog.raw('Metadata'));
  catalog.set('Pages', pageTreeOf({ all: pages, changed }));
  const root = trailer.raw('Root');
  return root instanceof Ref ? root : Ref.to(catalog);
}

/**
 * Sets the size of each image that replaces duplicates to the largest of their sizes. Removes the size if one
 * of them is unknown.
 */
function joinSizes(
  sizes: ReadonlyMap<PdfStream, DisplayedSize>,
  duplicates: ReadonlyMap<Ref, Ref>,
): Map<PdfStream, DisplayedSize> {
  const joined = new Map(sizes);
  for (const [duplicate, { value: image }] of duplicates) {
    if (!(image instanceof PdfStream) || !(duplicate.value instanceof PdfStream)) continue;
    const [known, other] = [joined.get(image), sizes.get(duplicate.value)];
    if (known && other)
      joined.set(image, {
        width: Math.max(known.width, other.width),
        height: Math.max(known.height, other.height),
      });
    else joined.delete(image);
  }
  return joined;
}

/**
 * Reduces the images among objects, a few at a time. Reduces a soft mask to the size of the largest image
 * that uses it.
 */
async function reduceImages(
  refs: ReadonlySet<Ref>,
  sizes: ReadonlyMap<PdfStream, DisplayedSize>,
  reduction: ImageReduction,
): Promise<void> {
  const images = [...refs].filter(
    ({ value }) => value instanceof PdfStream && value.dict.name('Subtype') === 'Image',
  );
  if (images.length === 0) return;
  const all = withMasks(images, sizes);
  const sharp = await loadSharp();
  const reduce = async (ref: Ref, image: PdfStream) => {
    try {
      const reduced = await reduceImage(sharp, image, { displayed: all.get(image), ...reduction });
      if (reduced) ref.value = reduced;
    } catch {
      // Keep an image that cannot be decoded.
    }
  };
  const running = new Map<Promise<void>, number>();
  for (const ref of images) {
    const { value } = ref;
    if (!(value instanceof PdfStream)) continue;
    const pixels = pixelsOf(value);
    while (running.size >= MAX_AT_ONCE || (running.size > 0 && sum(running) + pixels > MAX_PIXELS_AT_ONCE))
      await Promise.race(running.keys());
    const work: Promise<void> = reduce(ref, value).finally(() => running.delete(work));
    running.set(work, pixels);
  }
  await Promise.all(running.keys());
}

function pixelsOf({ dict }: PdfStream): number {
  return (dict.number('Width') ?? 0) * (dict.number('Height') ?? 0);
}

function sum(numbers: ReadonlyMap<unknown, number>): number {
  return [...numbers.values()].reduce((total, number) => total + number, 0);
}

/** Adds the sizes of soft masks. A mask has no size if an image that uses it has none. */
function withMasks(
  images: readonly Ref[],
  sizes: ReadonlyMap<PdfStream, DisplayedSize>,
): Map<PdfStream, DisplayedSize> {
  const all = new Map(sizes);
  const unmeasured = new Set<PdfStream>();
  for (const { value } of images) {
    if (!(value instanceof PdfStream)) continue;
    const mask = value.dict.get('SMask');
    if (!(mask instanceof PdfStream)) continue;
    const size = sizes.get(value);
    const { width = 0, height = 0 } = all.get(mask) ?? {};
    if (!size) unmeasured.add(mask);
    else all.set(mask, { width: Math.max(width, size.width), height: Math.max(height, size.height) });
  }
  for (const mask of unmeasured) all.delete(mask);
  return all;
}
