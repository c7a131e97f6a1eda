import { Dict, name, Ref, writePdf, type PdfDocument, RenderingError } from '@platen/pdf/objects';
import { compressContent, readContentGraph, type ContentUnit } from '../../content/graph.ts';
import { moveTransparentAppearances } from './appearances.ts';
import { Canvas } from './canvas.ts';
import { PageRenderer } from '@platen/pdf/images';
import { grow, type Matrix } from './geometry.ts';
import { initialState } from './graphics-state.ts';
import { interpret, type Ending } from './interpreter.ts';
import { undoMatrix } from './write-matrix.ts';
import { BreachError } from '../../violation.ts';
import { PatchPlan, type Insertion } from './patch-plan.ts';
import { encodeBitmap } from './bitmap-image.ts';
import { makeOpaque } from './make-opaque.ts';
import { TransparencyDetector } from './transparency-detector.ts';

/**
 * The inset of bitmaps. Poppler draws an image one pixel larger if its edge lies exactly on the edge of a
 * pixel.
 */
const INSET_PT = 0.005;

/**
 * The memory of larger bitmaps is freed immediately, because the garbage collector would let several of them
 * accumulate.
 */
const COLLECTED_PIXELS = 1_000_000;

/**
 * Removes transparency (ISO 19005-1 6.4) without changing the look of pages. Covers each transparent area
 * with a bitmap of the page, at 300 dpi, or at less on large pages. Text and lines below the bitmap stay in
 * the content, and objects painted later stay above it. Does not change pages without transparency.
 *
 * Inherited attributes must have been copied into the pages. Renders one bitmap at a time, with at most 12
 * million pixels.
 * @throws {BreachError} if a page cannot be rendered.
 */
export async function flattenTransparency(document: PdfDocument, pages: readonly Dict[]): Promise<void> {
  const transparency = new TransparencyDetector(document);
  for (const page of pages) moveTransparentAppearances(page, transparency);
  const graph = readContentGraph(document, pages);
  const units = graph.units.filter(({ kind }) => kind === 'page');
  const replacements: (() => void)[] = [];
  for (const [index, page] of pages.entries()) {
    const unit = units[index];
    if (!unit || !transparency.mayOccurIn(unit.resources)) continue;
    const replace = await flattenPage(page, unit, transparency);
    if (replace) replacements.push(replace);
  }
  // Pages can share resources, so change no page before the last page is rendered.
  for (const replace of replacements) replace();
  makeOpaque(pages, readContentGraph(document, pages));
}

async function flattenPage(
  page: Dict,
  unit: ContentUnit,
  transparency: TransparencyDetector,
): Promise<(() => void) | undefined> {
  const content = unit.read();
  if (!content) return undefined;
  const canvas = new Canvas(page);
  const plan = new PatchPlan();
  const ending = interpret(content, {
    resources: unit.resources,
    state: initialState(canvas.box),
    context: { transparency, budget: transparency.budget, observer: plan },
  });
  const insertions = plan.finish();
  if (insertions.length === 0) return undefined;
  const segments = splitContent(content, insertions, ending);
  const patches = await renderPatches(insertions, { segments, canvas, resources: unit.resources }).catch(
    (error: unknown) => {
      if (!(error instanceof RenderingError)) throw error;
      throw new BreachError([
        { rule: 'transparency', message: 'a page with transparency cannot be rendered' },
      ]);
    },
  );
  if (patches.every((each) => each.length === 0)) return undefined;
  return () => replaceContent(page, { insertions, segments, patches, resources: unit.resources });
}

/** A bitmap to draw on a page. */
interface Patch {
  image: Ref;
  /** Maps the unit square to the position on the page. */
  placement: Matrix;
}

/**
 * Splits content at the insertions. The last segment restores the initial graphics state, because an
 * insertion can follow it.
 */
function splitContent(content: Uint8Array, insertions: readonly Insertion[], ending: Ending): Uint8Array[] {
  const segments: Uint8Array[] = [];
  let start = 0;
  for (const { offset } of insertions) {
    if (offset === undefined) continue;
    segments.push(content.subarray(start, offset));
    start = offset;
  }
  const close = `${ending.inText ? '\nET' : ''}${'\nQ'.repeat(ending.unclosed + 1)}\n`;
  segments.push(Buffer.concat([content.subarray(start), Buffer.from(close, 'latin1')]));
  // Readers ignore an unmatched `Q`, but here it would match an added `q`, so add a `q` for it.
  const open = Buffer.from('q\n'.repeat(ending.unopened + 1), 'latin1');
  return segments.with(0, Buffer.concat([open, segments[0] ?? new Uint8Array()]));
}

async function renderPatches(
  insertions: readonly Insertion[],
  { segments, canvas, resources }: { segments: Uint8Array[]; canvas: Canvas; resources: Dict },
): Promise<Patch[][]> {
  const contents = segments
    .map((segment) => compressContent(new Dict(), segment))
    .map((stream) => Ref.to(stream));
  const pages = insertions.map((_, index) =>
    Dict.of({
      Type: name('Page'),
      MediaBox: [...canvas.box],
      Resources: resources,
      Contents: contents.slice(0, index + 1),
    }),
  );
  using renderer = await PageRenderer.open(writePages(pages));
  const drawn: Patch[][] = [];
  for (const [index, { regions }] of insertions.entries()) {
    const patches: Patch[] = [];
    for (const area of canvas.areasCovering(regions)) {
      const [left, bottom, right, top] = grow(canvas.boxOf(area), -INSET_PT);
      const image = Ref.to(await encodeBitmap(renderer.render(index, canvas, area)));
      if (area.width * area.height > COLLECTED_PIXELS) Bun.gc(true);
      patches.push({ image, placement: [right - left, 0, 0, top - bottom, left, bottom] });
    }
    drawn.push(patches);
  }
  return drawn;
}

function writePages(pages: readonly Dict[]): Uint8Array {
  const tree = Ref.to(new Dict());
  const kids = pages.map((page) => Ref.to(page.set('Parent', tree)));
  tree.value = Dict.of({ Type: name('Pages'), Count: kids.length, Kids: kids });
  const root = Ref.to(Dict.of({ Type: name('Catalog'), Pages: tree }));
  return writePdf({ root, version: '1.7', compact: false });
}

function replaceContent(
  page: Dict,
  content: { insertions: readonly Insertion[]; segments: Uint8Array[]; patches: Patch[][]; resources: Dict },
): void {
  const objects = (content.resources.dict('XObject') ?? new Dict()).copy();
  const parts: Uint8Array[] = [];
  let pictureNumber = 0;
  for (const [index, { matrix }] of content.insertions.entries()) {
    parts.push(content.segments[index] ?? new Uint8Array());
    const back = undoMatrix(matrix);
    for (const { image, placement } of content.patches[index] ?? []) {
      while (objects.map.has(`Picture${pictureNumber}`)) pictureNumber++;
      objects.set(`Picture${pictureNumber}`, image);
      const text = `\nq ${back}${formatMatrix(placement)} cm /Picture${pictureNumber} Do Q\n`;
      parts.push(Buffer.from(text, 'latin1'));
    }
  }
  parts.push(...content.segments.slice(content.insertions.length));
  page.set('Resources', content.resources.copy().set('XObject', objects));
  page.set('Contents', Ref.to(compressContent(new Dict(), Buffer.concat(parts))));
}

function formatMatrix(matrix: Matrix): string {
  return matrix.map((value) => Number(value.toFixed(6))).join(' ');
}
