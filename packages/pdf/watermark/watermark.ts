import { deflateSync } from 'node:zlib';
import { writeEdits } from '../edit/edit.ts';
import { forField, openInput, type PdfSource } from '../input.ts';
import {
  asDict,
  Dict,
  formXObjectOfPage,
  geometryOf,
  InputFault,
  metadataWithoutClaims,
  name,
  type PdfDocument,
  PdfStream,
  readPages,
  Ref,
  resolve,
  standalone,
  type Page,
  type PageGeometry,
  type PdfObject,
} from '../objects/index.ts';
import { placeMark, toDisplay, type MarkPlacement } from './placement.ts';
import { selectPages } from './select-pages.ts';

/** A mark to draw on pages. */
export interface Watermark {
  /**
   * A PDF with the mark. `link`: the mark is the area of the first link on the first page. `pages`: the first marked page gets the first page,
   * the second the second, and so on; the last page is repeated.
   */
  source: {
    pdf: PdfSource;
    area: 'link' | 'pages';
    /** The field with the mark, for errors. */ field: string;
  };
  /** Precedes the names of fields in errors. */
  path?: string | undefined;
  /** The marked pages, such as `1-3, 5, 9-`; all when absent. */
  pages?: string | undefined;
  placement: MarkPlacement;
  /** From 0 to 1. */
  opacity: number;
  layer: 'over' | 'under';
}

interface Mark {
  form: Ref;
  width: number;
  height: number;
}

/** The height or width below which a mark is empty. */
const MIN_SIDE_PT = 0.5;

/**
 * Draws a mark on pages as an artifact (ISO 32000-1 14.8.2.2), so that structure tags stay as they are. Removes claims of PDF/A and PDF/UA.
 * @throws {InputFault} if a page does not exist or the file must not be changed.
 */
export function drawWatermark(document: PdfDocument, watermark: Watermark): Buffer {
  const { pages } = readPages(document);
  const { opacity, layer, placement, path = '' } = watermark;
  const selected =
    watermark.pages === undefined ? undefined : selectPages(watermark.pages, pages.length, `${path}pages`);
  const marks = readMarks(watermark.source, opacity);
  const state =
    opacity < 1 ? Ref.to(Dict.of({ Type: name('ExtGState'), ca: opacity, CA: opacity })) : undefined;
  const [save, restore] = [contentStream('q\n'), contentStream('\nQ\n')];
  const drawings = new Map<string, Ref>();
  const prepare = createPreparation(state);
  const changed = new Map<Page, Dict>();
  for (const page of pages.filter((_, index) => selected?.has(index) ?? true)) {
    const mark = marks[Math.min(changed.size, marks.length - 1)];
    if (!mark) break;
    const geometry = geometryOf(page);
    const { key, resources } = prepare(page, mark);
    const draw = remember(drawings, JSON.stringify([key, marks.indexOf(mark), geometry]), () =>
      contentStream(drawingOf({ key, mark, geometry, placement, hasState: state !== undefined })),
    );
    const own = contentsOf(page);
    const contents = layer === 'under' ? [draw, ...own] : [save, ...own, restore, draw];
    changed.set(page, page.dict.copy().set('Resources', resources).set('Contents', contents));
  }
  const catalog = document.catalog.copy();
  catalog.set('Metadata', metadataWithoutClaims(document) ?? catalog.raw('Metadata'));
  return writeEdits(document, { catalog, pages: { all: pages, changed } });
}

function readMarks({ pdf, area, field }: Watermark['source'], opacity: number): Mark[] {
  const source = openInput(pdf, field);
  const { pages } = forField(field, () => readPages(source));
  const marks =
    area === 'link' ? [linkedMark(source, pages[0], field)] : pages.map((page) => pageMark(source, page));
  // Opacity applies to the mark as a whole only if it is a group (ISO 32000-1 11.6.6).
  if (opacity < 1)
    for (const { form } of marks)
      asDict(form)?.set('Group', Dict.of({ Type: name('Group'), S: name('Transparency') }));
  return marks;
}

function pageMark(source: PdfDocument, page: Page): Mark {
  const geometry = geometryOf(page);
  const form = formXObjectOfPage(source, page, { box: geometry.visible, matrix: toDisplay(geometry) });
  return { form, width: geometry.width, height: geometry.height };
}

/** The mark is as large as the link around it. */
function linkedMark(source: PdfDocument, page: Page | undefined, field: string): Mark {
  const [link] = page?.dict.array('Annots') ?? [];
  const rect =
    asDict(link)
      ?.array('Rect')
      ?.map((side) => Number(resolve(side))) ?? [];
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  const [width, height] = [right - left, top - bottom];
  if (!page || !(width >= MIN_SIDE_PT && height >= MIN_SIDE_PT))
    throw new InputFault(field, 'cannot be drawn: it is empty or not a supported image');
  const form = formXObjectOfPage(source, page, {
    box: [left, bottom, right, top],
    matrix: [1, 0, 0, 1, -left, -bottom],
  });
  return { form, width, height };
}

function drawingOf({
  key,
  mark,
  geometry,
  placement,
  hasState,
}: {
  key: string;
  mark: Mark;
  geometry: PageGeometry;
  placement: MarkPlacement;
  hasState: boolean;
}): string {
  const drawn = placeMark(geometry, mark, placement).map(
    (matrix) => `q ${matrix.map((value) => Number(value.toFixed(5))).join(' ')} cm /${key} Do Q\n`,
  );
  const state = hasState ? `/${key} gs\n` : '';
  return `/Artifact <</Type /Pagination /Subtype /Watermark>> BDC\nq\n${state}${drawn.join('')}Q\nEMC\n`;
}

interface Prepared {
  /** The name of the mark and its graphics state. */
  key: string;
  resources: Ref;
}

/** Creates a function that adds a mark to the resources of a page. Pages that share resources still do. */
function createPreparation(state: Ref | undefined): (page: Page, mark: Mark) => Prepared {
  const none = new Dict();
  const known = new Map<Dict, Map<Mark, Prepared>>();
  return (page, mark) => {
    const own = asDict(standalone(page).raw('Resources')) ?? none;
    const ofDict = known.get(own) ?? new Map<Mark, Prepared>();
    known.set(own, ofDict);
    const before = ofDict.get(mark);
    if (before) return before;
    const dict = own.copy();
    const forms = own.dict('XObject')?.copy() ?? new Dict();
    const states = own.dict('ExtGState')?.copy() ?? new Dict();
    let number = 1;
    while (forms.map.has(`PlatenMark${number}`) || states.map.has(`PlatenMark${number}`)) number++;
    const key = `PlatenMark${number}`;
    dict.set('XObject', forms.set(key, mark.form));
    if (state) dict.set('ExtGState', states.set(key, state));
    const prepared = { key, resources: Ref.to(dict) };
    ofDict.set(mark, prepared);
    return prepared;
  };
}

function contentsOf({ dict }: Page): readonly PdfObject[] {
  const list = dict.array('Contents');
  if (list) return list;
  const single = dict.raw('Contents');
  return single instanceof Ref ? [single] : [];
}

function remember<V>(known: Map<string, V>, key: string, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

function contentStream(text: string): Ref {
  return Ref.to(new PdfStream(Dict.of({ Filter: name('FlateDecode') }), deflateSync(text)));
}
