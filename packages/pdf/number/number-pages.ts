import { writeEdits } from '../edit/edit.ts';
import { contentStream } from '../edit/page-content.ts';
import { forField, openInput, type PdfSource } from '../input.ts';
import {
  asDict,
  claimedPdfa,
  Dict,
  geometryOf,
  metadataWithoutClaims,
  name,
  PdfDocument,
  PdfError,
  readPages,
  Ref,
  type Page,
} from '../objects/index.ts';
import { checkPdfa } from '../pdfa/check/check-pdfa.ts';
import { buildOutputIntents } from '../pdfa/colour/output-intent.ts';
import { embedFonts } from '../pdfa/fonts/embed-fonts.ts';
import { levelOf, levelRules, type PdfaLevel } from '../pdfa/levels.ts';
import { BreachError } from '../pdfa/violation.ts';
import { linkedMark, type Mark } from '../watermark/linked-mark.ts';
import { PageDrawer } from '../watermark/page-drawing.ts';
import { multiply, placeMark, type MarkPlacement, type Matrix } from '../watermark/placement.ts';
import { selectPages } from '../watermark/select-pages.ts';

/** A part of a page number's text: a number, or the index of a literal text. */
export type NumberPart = 'pageNumber' | 'totalPages' | 'bates' | number;

/** How pages are numbered. */
export interface PageNumbering {
  /**
   * A PDF in which a browser has drawn the digits 0 to 9, and then the literal texts: one on each page, as large as the
   * first link of the page. `field` is the argument that errors name.
   */
  source: { pdf: PdfSource; field: string };
  /** The parts of the text from left to right. */
  parts: readonly NumberPart[];
  /** The numbered pages, such as `1-3, 5, 9-`; all when absent. */
  pages?: string | undefined;
  /** The number of the first numbered page. When absent, each page has its number in the document. */
  start?: number | undefined;
  bates?: { digits: number; start: number } | undefined;
  placement: MarkPlacement;
}

const DIGITS = 10;

/**
 * Writes a number on pages as an artifact (ISO 32000-1 14.8.2.2), so that structure tags stay as they are. A claim of
 * PDF/A-1 is removed if the result does not conform; other claims stay, because fonts are embedded and colours are
 * defined.
 * @throws {InputFault} if a page does not exist or the file must not be changed.
 */
export function numberPages(document: PdfDocument, numbering: PageNumbering): Uint8Array {
  const { pages } = readPages(document);
  const selected =
    numbering.pages === undefined ? undefined : selectPages(numbering.pages, pages.length, 'pages');
  const numbered = pages.flatMap((page, index) => (selected?.has(index) === false ? [] : [{ page, index }]));
  const claim = claimedPdfa(document);
  const level = claim === null ? undefined : levelOf(claim.slice(0, 1), claim.slice(1));
  const marks = readMarks(numbering.source, claim === null ? undefined : (level ?? '1b'));
  const forms = marks.map(({ form }) => form);
  const drawer = new PageDrawer(document, 'over');
  const changed = new Map<Page, Dict>();
  const { start, bates } = numbering;
  const total = start === undefined ? pages.length : start + numbered.length - 1;
  for (const [count, { page, index }] of numbered.entries()) {
    const values = {
      pageNumber: `${start === undefined ? index + 1 : start + count}`,
      totalPages: `${total}`,
      bates: bates ? `${bates.start + count}`.padStart(bates.digits, '0') : '',
    };
    const text = numbering.parts.flatMap((part) =>
      typeof part === 'number' ? [DIGITS + part] : Array.from(values[part], Number),
    );
    const operators = (names: readonly string[]) =>
      contentStream(showMarks(text, { names, marks, page, placement: numbering.placement }));
    changed.set(page, drawer.draw(page, { forms, operators }));
  }
  const written = writeEdits(document, { pages: { all: pages, changed } });
  return level === undefined ? written : withTrueClaim(written, level);
}

/** Reads the drawn digits and texts. For PDF/A, makes their fonts and colours conform. */
function readMarks({ pdf, field }: PageNumbering['source'], level: PdfaLevel | undefined): Mark[] {
  const source = openInput(pdf, field);
  const { pages } = forField(field, () => readPages(source));
  if (level !== undefined) embedWherePossible(source, level);
  const defaults = level !== undefined ? Dict.of({ DefaultRGB: defaultRgb() }) : undefined;
  return pages.map((page) => {
    const mark = linkedMark(source, page, field);
    const form = asDict(mark.form);
    // The text is opaque, so it needs no transparency group.
    form?.delete('Group');
    const resources = form?.dict('Resources')?.copy() ?? new Dict();
    if (defaults) form?.set('Resources', resources.set('ColorSpace', defaults));
    return mark;
  });
}

function embedWherePossible(source: PdfDocument, level: PdfaLevel): void {
  try {
    embedFonts(source, levelRules(level));
  } catch (error) {
    // Then the claim is removed.
    if (!(error instanceof BreachError)) throw error;
  }
}

/** Returns the colour space for `DeviceRGB`, so that it does not depend on the output intent of the document. */
function defaultRgb(): Ref {
  const [intent] = buildOutputIntents();
  return Ref.to([name('ICCBased'), asDict(intent)?.raw('DestOutputProfile') ?? null]);
}

/** Removes the claim of PDF/A from a file that does not conform. */
function withTrueClaim(pdf: Uint8Array, level: PdfaLevel): Uint8Array {
  try {
    if (checkPdfa(pdf, level).length === 0) return pdf;
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
  }
  const document = PdfDocument.open(pdf);
  const catalog = document.catalog.copy().set('Metadata', metadataWithoutClaims(document));
  return writeEdits(document, { catalog });
}

/** Returns the operators that show marks in a row, placed as a single mark. */
function showMarks(
  text: readonly number[],
  {
    names,
    marks,
    page,
    placement,
  }: { names: readonly string[]; marks: readonly Mark[]; page: Page; placement: MarkPlacement },
): string {
  const row = text.flatMap((index) => {
    const [mark, key] = [marks[index], names[index]];
    return mark && key !== undefined ? [{ mark, key }] : [];
  });
  const size = {
    width: row.reduce((sum, { mark }) => sum + mark.width, 0),
    height: Math.max(...row.map(({ mark }) => mark.height)),
  };
  const drawn = placeMark(geometryOf(page), size, placement).map((matrix) => {
    let x = 0;
    const shown = row.map(({ mark, key }) => {
      const at: Matrix = [1, 0, 0, 1, x, 0];
      x += mark.width;
      return `q ${multiply(at, matrix)
        .map((value) => Number(value.toFixed(4)))
        .join(' ')} cm /${key} Do Q\n`;
    });
    return shown.join('');
  });
  return `/Artifact <</Type /Pagination>> BDC\n${drawn.join('')}EMC\n`;
}
