import { Dict, name, PdfStream, Ref, resolve, type PdfObject } from '@platen/pdf/objects';

/** An appearance to draw, and the annotation whose rectangle it fills. */
interface AnnotationAppearance {
  appearance: Ref;
  annotation: Dict;
}

/**
 * Appends the appearances of annotations to the page content, at the positions where readers show them (ISO
 * 32000-1 12.5.5).
 */
export function drawAppearances(page: Dict, drawings: readonly AnnotationAppearance[]): void {
  if (drawings.length === 0) return;
  const resources = (page.dict('Resources') ?? new Dict()).copy();
  const objects = (resources.dict('XObject') ?? new Dict()).copy();
  page.set('Resources', resources.set('XObject', objects));
  let content = '\nQ\n';
  for (const { appearance, annotation } of drawings) {
    const stream = resolve(appearance);
    const matrix = stream instanceof PdfStream ? placement(stream.dict, annotation) : undefined;
    if (!matrix || !(stream instanceof PdfStream)) continue;
    stream.dict.set('Type', name('XObject')).set('Subtype', name('Form'));
    let free = 0;
    while (objects.map.has(`Annotation${free}`)) free++;
    objects.set(`Annotation${free}`, appearance);
    content += `q ${matrix.map((value) => Number(value.toFixed(5))).join(' ')} cm /Annotation${free} Do Q\n`;
  }
  const contents = page.get('Contents');
  const existing: PdfObject[] = Array.isArray(contents) ? contents : [page.raw('Contents') ?? null];
  page.set('Contents', [uncompressed('q\n'), ...existing, uncompressed(content)]);
}

function uncompressed(content: string): Ref {
  return Ref.to(new PdfStream(new Dict(), Buffer.from(content, 'latin1')));
}

/**
 * Computes the matrix that maps the transformed bounding box of an appearance to the rectangle of its
 * annotation.
 */
function placement(form: Dict, annotation: Dict): number[] | undefined {
  const rect = numbers(annotation.array('Rect'), 4);
  const box = numbers(form.array('BBox'), 4);
  if (!rect || !box) return undefined;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(form.array('Matrix'), 6) ?? [];
  const [left = 0, bottom = 0, right = 0, top = 0] = box;
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [from, to] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect;
  const scaleX = to > from ? Math.abs(x2 - x1) / (to - from) : 1;
  const scaleY = high > low ? Math.abs(y2 - y1) / (high - low) : 1;
  return [scaleX, 0, 0, scaleY, Math.min(x1, x2) - from * scaleX, Math.min(y1, y2) - low * scaleY];
}

function numbers(array: PdfObject[] | undefined, count: number): number[] | undefined {
  const read = array?.map((item) => resolve(item)).filter((item) => typeof item === 'number');
  return read && read.length >= count ? read : undefined;
}
