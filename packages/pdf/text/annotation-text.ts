import { layOutFreeText } from '../annotations/missing-appearances.ts';
import {
  asDict,
  geometryOf,
  type Dict,
  type Page,
  type PdfObject,
  RenderingError,
} from '../objects/index.ts';
import { toDisplay, type Matrix } from '../watermark/placement.ts';
import { MAX_CHARACTERS, type CharacterLine } from './characters.ts';
import { transformedBox, type TextBox } from './text-box.ts';

/** The flags of annotations that are not displayed: Hidden and NoView (ISO 32000-1 table 165). */
const NOT_DISPLAYED = (1 << 1) | (1 << 5);
/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The text of free text annotations without an appearance. Readers draw it with their own fonts, because the
 * fonts of the file cannot show it.
 */
export class AnnotationText {
  readonly #pages = new Map<number, Page>();

  /** Notes which of the pages have such annotations. */
  constructor(pages: readonly Page[]) {
    // Whether a list has such annotations. Pages can share a list.
    const known = new Map<PdfObject[] | undefined, boolean>();
    for (const [index, page] of pages.entries()) {
      const list = page.dict.array('Annots');
      const hasAny = known.get(list) ?? annotationsOf(page).length > 0;
      known.set(list, hasAny);
      if (hasAny) this.#pages.set(index, page);
    }
  }

  /**
   * Returns the lines of the annotations of a page. Estimates the boxes of their characters.
   * @param index the index of the page, from 0
   * @throws {RenderingError} if the lines have too many characters.
   */
  linesOf(index: number): CharacterLine[] {
    const page = this.#pages.get(index);
    if (!page) return [];
    const matrix = toDisplay(geometryOf(page));
    let characters = 0;
    return annotationsOf(page).flatMap((annotation) => {
      const lines = readLines(annotation, matrix);
      for (const line of lines) characters += line.characters.length;
      if (characters > MAX_CHARACTERS)
        throw new RenderingError(`page ${index + 1} has more than ${MAX_CHARACTERS} characters`);
      return lines;
    });
  }
}

function annotationsOf({ dict }: Page): Dict[] {
  return (dict.array('Annots') ?? []).flatMap((object) => {
    const annotation = asDict(object);
    if (annotation?.name('Subtype') !== 'FreeText' || annotation.dict('AP')?.map.has('N')) return [];
    return ((annotation.number('F') ?? 0) & NOT_DISPLAYED) === 0 ? [annotation] : [];
  });
}

function readLines(annotation: Dict, matrix: Matrix): CharacterLine[] {
  const { lines, box, size } = layOutFreeText(annotation);
  const [left, bottom, right, top] = box;
  const pitch = Math.min(1.15 * size, (top - bottom) / lines.length);
  return lines.flatMap((line, row) => {
    const characters = Array.from(line);
    if (line.trim() === '') return [];
    const width = Math.min(0.55 * size, (right - left) / characters.length);
    const isReversed = RIGHT_TO_LEFT.test(line);
    const boxAt = (column: number): TextBox => {
      const x = isReversed ? right - (column + 1) * width : left + column * width;
      const y = top - (row + 1) * pitch;
      return transformedBox([x, y, x + width, y + pitch], matrix);
    };
    return {
      characters: characters.map((text, column) => ({ text, box: boxAt(column) })),
      boldness: 'regular',
      isDivided: false,
    };
  });
}
