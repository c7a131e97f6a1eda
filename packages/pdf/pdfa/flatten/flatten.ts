import { Dict, name, Ref, writePdf, type PdfDocument } from '../../objects/index.ts';
import { packed, readContentGraph, type ContentUnit } from '../content/graph.ts';
import { takeAppearances } from './appearances.ts';
import { Canvas } from './canvas.ts';
import { DrawingError, PageDrawing } from './draw-pages.ts';
import { grow, invert, IDENTITY, type Matrix } from './geometry.ts';
import { initialState } from './graphics-state.ts';
import { interpret, type Ending } from './interpreter.ts';
import { PdfaError } from '../violation.ts';
import { PatchPlan, type Layer } from './patch-plan.ts';
import { imageOf } from './picture-image.ts';
import { makeOpaque } from './make-opaque.ts';
import { Transparency } from './transparency.ts';

/** Points. Poppler draws an image whose edge lies on a pixel's one pixel larger. */
const INSET = 0.005;

/**
 * Makes everything opaque (ISO 19005-1 6.4), with the same look. Where a page is seen through, a picture of it at 300 dpi, less on
 * pages much larger than A4, goes over what was painted so far; all text and lines stay in the content below, and those that are painted
 * later stay what they are above. Pages without transparency stay as they are.
 *
 * Pages have what they inherit. One picture at a time is drawn, of 12 million pixels at the most.
 * @throws {PdfaError} for a page that cannot be drawn.
 */
export async function flattenTransparency(document: PdfDocument, pages: readonly Dict[]): Promise<void> {
  const transparency = new Transparency(document);
  for (const page of pages) takeAppearances(page, transparency);
  const graph = readContentGraph(document, pages);
  const units = graph.units.filter(({ kind }) => kind === 'page');
  const replaced: (() => void)[] = [];
  for (const [index, page] of pages.entries()) {
    const unit = units[index];
    if (!unit || !transparency.mayBeIn(unit.resources)) continue;
    const replace = await flattenPage(page, unit, transparency);
    if (replace) replaced.push(replace);
  }
  // Pages share what they draw with: it is left as it is until the last one has been drawn.
  for (const replace of replaced) replace();
  makeOpaque(pages, readContentGraph(document, pages));
}

async function flattenPage(
  page: Dict,
  unit: ContentUnit,
  transparency: Transparency,
): Promise<(() => void) | undefined> {
  const content = unit.read();
  if (!content) return undefined;
  const canvas = new Canvas(page);
  const plan = new PatchPlan();
  const ending = interpret(content, {
    resources: unit.resources,
    state: initialState(canvas.box),
    setting: { transparency, budget: transparency.budget, observer: plan },
  });
  const layers = plan.finish();
  if (layers.length === 0) return undefined;
  const segments = cut(content, layers, ending);
  const patches = await drawLayers(layers, { segments, canvas, resources: unit.resources }).catch(
    (error: unknown) => {
      if (!(error instanceof DrawingError)) throw error;
      throw new PdfaError([{ clause: '6.4', message: 'has a page with transparency that cannot be drawn' }]);
    },
  );
  if (patches.every((each) => each.length === 0)) return undefined;
  return () => replaceContent(page, { layers, segments, patches, resources: unit.resources });
}

/** A picture that goes on a page. */
interface Patch {
  image: Ref;
  /** Takes the unit square to where it lies on the page. */
  placement: Matrix;
}

/** Cuts content where layers go; the last segment, behind which the graphics state is the page's, is followed by the last layer. */
function cut(content: Uint8Array, layers: readonly Layer[], ending: Ending): Uint8Array[] {
  const segments: Uint8Array[] = [];
  let start = 0;
  for (const { offset } of layers) {
    if (offset === undefined) continue;
    segments.push(content.subarray(start, offset));
    start = offset;
  }
  const close = `${ending.inText ? '\nET' : ''}${'\nQ'.repeat(ending.unclosed + 1)}\n`;
  segments.push(Buffer.concat([content.subarray(start), Buffer.from(close, 'latin1')]));
  // `Q` that closes nothing is passed over by readers, and must not end what begins here.
  const open = Buffer.from('q\n'.repeat(ending.unopened + 1), 'latin1');
  return segments.with(0, Buffer.concat([open, segments[0] ?? new Uint8Array()]));
}

async function drawLayers(
  layers: readonly Layer[],
  { segments, canvas, resources }: { segments: Uint8Array[]; canvas: Canvas; resources: Dict },
): Promise<Patch[][]> {
  const contents = segments.map((segment) => packed(new Dict(), segment)).map((stream) => Ref.to(stream));
  const pages = layers.map((_, index) =>
    Dict.of({
      Type: name('Page'),
      MediaBox: [...canvas.box],
      Resources: resources,
      Contents: contents.slice(0, index + 1),
    }),
  );
  using drawing = await PageDrawing.open(writePages(pages));
  const drawn: Patch[][] = [];
  for (const [index, { regions }] of layers.entries()) {
    const patches: Patch[] = [];
    for (const part of canvas.partsOf(regions)) {
      const [left, bottom, right, top] = grow(canvas.boxOf(part), -INSET);
      const image = Ref.to(await imageOf(drawing.draw(index, canvas, part)));
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
  content: { layers: readonly Layer[]; segments: Uint8Array[]; patches: Patch[][]; resources: Dict },
): void {
  const objects = (content.resources.dict('XObject') ?? new Dict()).copy();
  const parts: Uint8Array[] = [];
  let free = 0;
  for (const [index, { matrix }] of content.layers.entries()) {
    parts.push(content.segments[index] ?? new Uint8Array());
    const back = invert(matrix) ?? IDENTITY;
    for (const { image, placement } of content.patches[index] ?? []) {
      while (objects.map.has(`Picture${free}`)) free++;
      objects.set(`Picture${free}`, image);
      const text = `\nq ${write(back)} cm ${write(placement)} cm /Picture${free} Do Q\n`;
      parts.push(Buffer.from(text, 'latin1'));
    }
  }
  parts.push(...content.segments.slice(content.layers.length));
  page.set('Resources', content.resources.copy().set('XObject', objects));
  page.set('Contents', Ref.to(packed(new Dict(), Buffer.concat(parts))));
}

function write(matrix: Matrix): string {
  return matrix.map((value) => Number(value.toFixed(6))).join(' ');
}
