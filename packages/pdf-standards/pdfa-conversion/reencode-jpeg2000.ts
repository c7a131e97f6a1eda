import { Dict, name, PdfStream, Ref, writePdf, type PdfObject } from '@platen/pdf/objects';
import type { ContentGraph } from '../content/graph.ts';
import { PageRenderer } from '@platen/pdf/images';
import { encodeBitmap } from './transparency/bitmap-image.ts';
import { filtersOf } from '../limits/stream-filters.ts';
import type { LevelRules } from '../levels.ts';
import { isAllowedJpeg2000, isInDeviceCmyk } from '../content/jpeg2000.ts';
import type { Breach } from '../violation.ts';

/** Images with more pixels are scaled down. */
const MAX_PIXELS = 12_000_000;

/**
 * Re-encodes the JPEG 2000 images that the level does not allow; PDF/A-1 allows none. PDFium decodes one
 * image at a time. Returns a violation for each image that cannot be decoded.
 */
export async function reencodeJpeg2000(graph: ContentGraph, rules: LevelRules): Promise<Breach[]> {
  const violations: Breach[] = [];
  for (const [image, ref] of graph.images) {
    if (
      !filtersOf(image).includes('JPXDecode') ||
      (rules.jpeg2000 && isAllowedJpeg2000(image) && !isInDeviceCmyk(image))
    )
      continue;
    const reencoded = await reencode(image);
    if (reencoded) {
      ref.value = reencoded;
      graph.images.delete(image);
      graph.images.set(reencoded, ref);
    } else violations.push({ rule: 'filters', message: 'a JPEG 2000 image cannot be decoded' });
  }
  return violations;
}

async function reencode(image: PdfStream): Promise<PdfStream | undefined> {
  const { dict } = image;
  const [across, up] = [dict.number('Width') ?? 0, dict.number('Height') ?? 0];
  // A colour key mask would not match the re-encoded colours.
  if (across < 1 || up < 1 || Array.isArray(dict.get('Mask')) || dict.get('ImageMask') === true)
    return undefined;
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (across * up)));
  const size = {
    width: Math.max(1, Math.round(across * scale)),
    height: Math.max(1, Math.round(up * scale)),
  };
  const whole = new PdfStream(dict.copy().delete('Mask', 'SMask', 'SMaskInData'), () => image.raw);
  try {
    using renderer = await PageRenderer.open(pageOf(whole, size));
    const drawn = await encodeBitmap(renderer.render(0, size, { left: 0, top: 0, ...size }));
    for (const key of ['Mask', 'SMask', 'Intent']) drawn.dict.set(key, dict.raw(key));
    return drawn;
  } catch {
    return undefined;
  }
}

/** Builds a PDF with one page that the image fills. */
function pageOf(image: PdfStream, { width, height }: { width: number; height: number }): Uint8Array {
  const content = new PdfStream(new Dict(), Buffer.from(`${width} 0 0 ${height} 0 0 cm /I Do`));
  const pages = Ref.to(new Dict());
  const page: PdfObject = Dict.of({
    Type: name('Page'),
    Parent: pages,
    MediaBox: [0, 0, width, height],
    Resources: Dict.of({ XObject: Dict.of({ I: Ref.to(image) }) }),
    Contents: Ref.to(content),
  });
  pages.value = Dict.of({ Type: name('Pages'), Count: 1, Kids: [Ref.to(page)] });
  const root = Ref.to(Dict.of({ Type: name('Catalog'), Pages: pages }));
  return writePdf({ root, version: '1.7', compact: false });
}
