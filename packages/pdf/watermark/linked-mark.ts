import {
  asDict,
  formXObjectOfPage,
  InputFault,
  resolve,
  type Page,
  type PdfDocument,
  type Ref,
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
