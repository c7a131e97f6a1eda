import { writeEdits } from '../edit/edit.ts';
import { forField, openInput, type PdfSource } from '../input.ts';
import {
  asDict,
  Dict,
  geometryOf,
  type PdfDocument,
  PdfStream,
  readPages,
  Ref,
  type Page,
  type PageGeometry,
} from '../objects/index.ts';
import { joinMarks, linkedMark, showAndMove, sizeOfRow, type Mark } from '../watermark/linked-mark.ts';
import { PageDrawer } from '../watermark/page-drawing.ts';
import { placeMark, type MarkPlacement } from '../watermark/placement.ts';
import { selectPages } from '../watermark/select-pages.ts';

/** A part of the text on a page: the name of a number, or the index of a literal text. */
export type NumberPart = 'pageNumber' | 'totalPages' | 'bates' | number;

/** The settings of page numbers. */
export interface PageNumbering {
  /**
   * A PDF in which a browser has drawn the digits 0 to 9, and then the literal texts: one on each page, as
   * large as the first link of the page. `field` is the argument that errors name.
   */
  source: { pdf: PdfSource; field: string };
  /** The parts of the text from left to right. */
  parts: readonly NumberPart[];
  /** The pages to number, such as `1-3, 5, 9-`. By default all pages. */
  pages?: string | undefined;
  /** The number of the first numbered page. By default, each page has its number in the document. */
  start?: number | undefined;
  bates?: { digits: number; start: number } | undefined;
  placement: MarkPlacement;
}

/**
 * Changes a document with drawn texts so that they conform to a standard. Returns the default colour spaces
 * that the texts then need; `undefined` if they need none.
 */
export type TextPreparation = (texts: PdfDocument) => Dict | undefined;

const DIGITS = 10;

/**
 * Writes a number on pages as an artifact (ISO 32000-1 14.8.2.2), so that structure tags stay as they are.
 * @param prepare makes the drawn texts follow a standard that the document claims
 * @throws {InputFault} if a page does not exist or the file must not be changed.
 */
export function numberPages(
  document: PdfDocument,
  numbering: PageNumbering,
  prepare?: TextPreparation,
): Uint8Array {
  const { pages } = readPages(document);
  const selected =
    numbering.pages === undefined ? undefined : selectPages(numbering.pages, pages.length, 'pages');
  const numbered = pages.flatMap((page, index) => (selected?.has(index) === false ? [] : [{ page, index }]));
  const { start, bates } = numbering;
  const total = start === undefined ? pages.length : start + numbered.length - 1;
  const marks = readMarks(numbering.source, prepare);
  const row = readRow(numbering.parts, marks, total);
  const drawing = new RowDrawing(row.marks, numbering.placement);
  const drawer = new PageDrawer(document, 'over');
  const changed = new Map<Page, Dict>();
  for (const [count, { page, index }] of numbered.entries()) {
    const values = {
      pageNumber: `${start === undefined ? index + 1 : start + count}`,
      bates: bates ? `${bates.start + count}`.padStart(bates.digits, '0') : '',
    };
    const text = row.parts.flatMap((part) =>
      typeof part === 'number' ? [part] : Array.from(values[part], Number),
    );
    const geometry = geometryOf(page);
    const operators = (names: readonly string[]) => drawing.draw(text, names, geometry);
    changed.set(page, drawer.draw(page, { forms: row.forms, operators }));
  }
  return writeEdits(document, { pages: { all: pages, changed } });
}

/** Reads the drawn digits and texts. */
function readMarks({ pdf, field }: PageNumbering['source'], prepare?: TextPreparation): Mark[] {
  const source = openInput(pdf, field);
  const { pages } = forField(field, () => readPages(source));
  const colourSpaces = prepare?.(source);
  return pages.map((page) => {
    const mark = linkedMark(source, page, field);
    const form = asDict(mark.form);
    // The text is opaque, so it needs no transparency group.
    form?.delete('Group');
    const resources = form?.dict('Resources')?.copy() ?? new Dict();
    if (colourSpaces) form?.set('Resources', resources.set('ColorSpace', colourSpaces));
    return mark;
  });
}

/**
 * The row of marks that every page shows. The numbers that differ from page to page have names in place of
 * marks.
 */
interface Row {
  marks: Mark[];
  forms: Ref[];
  /** From left to right, the index of a mark, or the name of a number. The first ten marks are the digits. */
  parts: (number | 'pageNumber' | 'bates')[];
}

/** Joins adjacent parts that are equal on all pages, so that the content of each page is short. */
function readRow(parts: readonly NumberPart[], drawn: readonly Mark[], total: number): Row {
  const marks = drawn.slice(0, DIGITS);
  const row: Row['parts'] = [];
  let equal: Mark[] = [];
  const endRun = () => {
    if (equal.length > 0) row.push(marks.push(joinMarks(equal)) - 1);
    equal = [];
  };
  for (const part of parts) {
    if (part === 'pageNumber' || part === 'bates') {
      endRun();
      row.push(part);
      continue;
    }
    const shown = part === 'totalPages' ? Array.from(`${total}`, Number) : [DIGITS + part];
    equal.push(...shown.flatMap((index) => drawn[index] ?? []));
  }
  endRun();
  return { marks, forms: marks.map(({ form }) => form), parts: row };
}

/** Draws rows of marks on pages. */
class RowDrawing {
  readonly #marks: readonly Mark[];
  readonly #placement: MarkPlacement;
  /** The operands that place a row, keyed by the sizes of the row and the page. */
  readonly #matrices = new Map<string, readonly string[]>();
  /** The operators that show each mark, keyed by the names of the marks. */
  readonly #operators = new Map<readonly string[], readonly string[]>();

  constructor(marks: readonly Mark[], placement: MarkPlacement) {
    this.#marks = marks;
    this.#placement = placement;
  }

  /**
   * Returns a content stream. It is not compressed, because compression would take longer than all other work
   * and save little.
   * @param text the indexes of the marks to show
   * @param names the names of all marks on the page
   */
  draw(text: readonly number[], names: readonly string[], geometry: PageGeometry): Ref {
    const row = text.flatMap((index) => this.#marks[index] ?? []);
    const operators = this.#operatorsOf(names);
    const shown = text.map((index) => operators[index] ?? '').join('');
    const placed = this.#placed(row, geometry).map((matrix) => `q ${matrix} cm\n${shown}Q\n`);
    const content = `/Artifact <</Type /Pagination>> BDC\n${placed.join('')}EMC\n`;
    return Ref.to(new PdfStream(new Dict(), Buffer.from(content, 'latin1')));
  }

  #operatorsOf(names: readonly string[]): readonly string[] {
    const known = this.#operators.get(names);
    if (known) return known;
    const operators = this.#marks.map((mark, index) => showAndMove(mark, names[index] ?? ''));
    this.#operators.set(names, operators);
    return operators;
  }

  #placed(row: readonly Mark[], geometry: PageGeometry): readonly string[] {
    const size = sizeOfRow(row);
    const { visible, unit, rotation } = geometry;
    const key = `${size.width} ${size.height} ${visible.join(' ')} ${unit} ${rotation}`;
    const known = this.#matrices.get(key);
    if (known) return known;
    const matrices = placeMark(geometry, size, this.#placement).map((matrix) =>
      matrix.map((value) => Number(value.toFixed(4))).join(' '),
    );
    this.#matrices.set(key, matrices);
    return matrices;
  }
}
