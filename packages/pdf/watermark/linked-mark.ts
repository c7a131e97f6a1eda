import {
  asDict,
  Dict,
  formXObjectOfPage,
  InputFault,
  name,
  PdfStream,
  Ref,
  resolve,
  type Page,
  type PdfDocument,
} from '../objects/index.ts';

/** A form XObject to draw on pages, and its size in points. */
export interface Mark {
  form: Ref;
  width: number;
  height: number;
}

/** The height or width below which a mark is empty. */
const MIN_SIDE_PT = 0.5;

/**
 * Reads a mark that a browser has drawn: the area of the first link of a page.
 * @throws {InputFault} naming the field if it is empty.
 */
export function linkedMark(source: PdfDocument, page: Page | undefined, field: string): Mark {
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

/** Joins marks into a mark that shows them in a row. */
export function joinMarks(marks: readonly Mark[]): Mark {
  const [only] = marks;
  if (only && marks.length === 1) return only;
  const distinct = [...new Set(marks.map(({ form }) => form))];
  const nameOf = (form: Ref) => `M${distinct.indexOf(form)}`;
  const { width, height } = sizeOfRow(marks);
  const shown = marks.map((mark) => showAndMove(mark, nameOf(mark.form))).join('');
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [0, 0, width, height],
    Resources: Dict.of({
      XObject: Dict.of(Object.fromEntries(distinct.map((form) => [nameOf(form), form]))),
    }),
  });
  return { form: Ref.to(new PdfStream(dict, Buffer.from(shown, 'latin1'))), width, height };
}

export function sizeOfRow(marks: readonly Mark[]): { width: number; height: number } {
  return {
    width: marks.reduce((sum, mark) => sum + mark.width, 0),
    height: marks.reduce((most, mark) => Math.max(most, mark.height), 0),
  };
}

/** Returns the operators that show a mark by the name of its form, and move the origin to its right. */
export function showAndMove({ width }: Mark, form: string): string {
  return `/${form} Do 1 0 0 1 ${Number(width.toFixed(4))} 0 cm\n`;
}
