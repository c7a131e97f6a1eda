import { Dict, name, PdfStream, Ref, writePdf, type PdfObject } from '../../objects/index.ts';
import type { ContentGraph } from '../content/graph.ts';
import { PageDrawing } from '../flatten/draw-pages.ts';
import { imageOf } from '../flatten/picture-image.ts';
import { filtersOf } from '../limits/streams.ts';
import type { Violation } from '../violation.ts';

/** Larger images are drawn with fewer pixels. */
const MAX_PIXELS = 12_000_000;

/**
 * Makes images packed as JPEG 2000, which PDF 1.4 does not know, ones that it knows. PDFium unpacks them, one at a time.
 * Returns what cannot be made so.
 */
export async function redrawJpeg2000(graph: ContentGraph): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [image, ref] of graph.images) {
    if (!filtersOf(image).includes('JPXDecode')) continue;
    const redrawn = await redraw(image);
    if (redrawn) {
      ref.value = redrawn;
      graph.images.delete(image);
      graph.images.set(redrawn, ref);
    } else
      violations.push({ clause: '6.1.10', message: 'has an image in JPEG 2000 that cannot be unpacked' });
  }
  return violations;
}

async function redraw(image: PdfStream): Promise<PdfStream | undefined> {
  const { dict } = image;
  const [across, up] = [dict.number('Width') ?? 0, dict.number('Height') ?? 0];
  // A colour that is transparent would not be the same any more.
  if (across < 1 || up < 1 || Array.isArray(dict.get('Mask')) || dict.get('ImageMask') === true)
    return undefined;
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (across * up)));
  const size = {
    width: Math.max(1, Math.round(across * scale)),
    height: Math.max(1, Math.round(up * scale)),
  };
  const whole = new PdfStream(dict.copy().delete('Mask', 'SMask', 'SMaskInData'), () => image.raw);
  try {
    using drawing = await PageDrawing.open(pageOf(whole, size));
    const drawn = await imageOf(drawing.draw(0, size, { left: 0, top: 0, ...size }));
    for (const key of ['Mask', 'SMask', 'Intent']) drawn.dict.set(key, dict.raw(key));
    return drawn;
  } catch {
    return undefined;
  }
}

/** A file of one page that the image fills. */
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
