import { writeEdits } from '../edit/edit.ts';
import { contentStream } from '../edit/page-content.ts';
import { forField, openInput, type PdfSource } from '../input.ts';
import {
  asDict,
  Dict,
  formXObjectOfPage,
  geometryOf,
  metadataWithoutClaims,
  name,
  type PdfDocument,
  readPages,
  Ref,
  type Page,
  type PageGeometry,
} from '../objects/index.ts';
import { linkedMark, type Mark } from './linked-mark.ts';
import { PageDrawer } from './page-drawing.ts';
import { placeMark, toDisplay, type MarkPlacement } from './placement.ts';
import { selectPages } from './select-pages.ts';

/** A mark to draw on pages. */
export interface Watermark {
  /**
   * A PDF with the mark. With `link`, the mark is the area of the first link on the first page. With `pages`,
   * its pages are the marks of the marked pages in order, and the last one is repeated.
   */
  source: {
    pdf: PdfSource;
    area: 'link' | 'pages';
    /** The field with the mark, for errors. */
    field: string;
  };
  /** Precedes the names of fields in errors. */
  path?: string | undefined;
  /** The pages to mark, such as `1-3, 5, 9-`. By default all pages. */
  pages?: string | undefined;
  placement: MarkPlacement;
  /** From 0 to 1. */
  opacity: number;
  layer: 'over' | 'under';
}

/**
 * Draws a mark on pages as an artifact (ISO 32000-1 14.8.2.2), so that structure tags stay as they are.
 * Removes claims of PDF/A and PDF/UA.
 * @throws {InputFault} if a page does not exist or the file must not be changed.
 */
export function drawWatermark(document: PdfDocument, watermark: Watermark): Buffer {
  const { pages } = readPages(document);
  const { opacity, layer, placement, path = '' } = watermark;
  const selected =
    watermark.pages === undefined ? undefined : selectPages(watermark.pages, pages.length, `${path}pages`);
  const marks = readMarks(watermark.source, opacity).map((mark) => ({ ...mark, forms: [mark.form] }));
  const state =
    opacity < 1 ? Ref.to(Dict.of({ Type: name('ExtGState'), ca: opacity, CA: opacity })) : undefined;
  const drawings = new Map<string, Ref>();
  const drawer = new PageDrawer(document, layer, state);
  const changed = new Map<Page, Dict>();
  for (const page of pages.filter((_, index) => selected?.has(index) ?? true)) {
    const mark = marks[Math.min(changed.size, marks.length - 1)];
    if (!mark) break;
    const geometry = geometryOf(page);
    const drawn = drawer.draw(page, {
      forms: mark.forms,
      operators: ([key = '']) =>
        remember(drawings, JSON.stringify([key, marks.indexOf(mark), geometry]), () =>
          contentStream(drawingOf({ key, mark, geometry, placement, hasState: state !== undefined })),
        ),
    });
    changed.set(page, drawn);
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

/** Returns the value of a key, and makes it if the key is unknown. */
function remember<V>(known: Map<string, V>, key: string, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
