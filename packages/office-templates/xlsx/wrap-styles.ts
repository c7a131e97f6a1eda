import type { TreeElement } from '@platen/xml';
import type { OfficePackage } from '../opc.ts';
import { childOf, copyOf, element, elementsOf } from '../tree.ts';

/** The greatest height of a row, in points, in Excel. */
const MAX_HEIGHT = 409;
const DEFAULT_FONT_SIZE = 11;
/** A line of 11 points has 15 points. */
const LINE_HEIGHT = 15 / 11;

/**
 * Lets cells show the line breaks of their values. Without wrapping, programs print them over the rows above,
 * or on one line.
 */
export class WrapStyles {
  readonly #file: OfficePackage;
  readonly #part: string | undefined;
  readonly #styles: TreeElement | undefined;
  readonly #formats: TreeElement[] = [];
  readonly #fonts: TreeElement[] = [];
  /** The styles that wrap, by the styles that they are copied from. */
  readonly #wrapping = new Map<string, string>();

  constructor(file: OfficePackage) {
    this.#file = file;
    this.#part = file.relationships(file.main).find(({ kind }) => kind === 'styles')?.target;
    if (this.#part === undefined || !file.has(this.#part)) return;
    this.#styles = file.read(this.#part);
    this.#formats = elementsOf(childOf(this.#styles, 'cellXfs') ?? element('cellXfs'));
    this.#fonts = elementsOf(childOf(this.#styles, 'fonts') ?? element('fonts'));
  }

  /**
   * Makes a cell wrap, and its row at least as high as its lines, because LibreOffice does not measure them.
   * A cell that wraps in a row of a fixed height stays, because the author has chosen both.
   */
  wrap(cell: TreeElement, { row, lines }: { row: TreeElement; lines: number }): void {
    const index = cell.attributes.get('s') ?? '0';
    const format = this.#formats[Number(index)];
    if (!format) return;
    const wraps = isOn(childOf(format, 'alignment')?.attributes.get('wrapText'));
    if (wraps && isOn(row.attributes.get('customHeight'))) return;
    const height = Math.min(MAX_HEIGHT, Math.ceil(lines * this.#fontSize(format) * LINE_HEIGHT));
    if (!(Number(row.attributes.get('ht') ?? 0) >= height)) {
      row.attributes.set('ht', String(height));
      row.attributes.delete('customHeight');
    }
    if (wraps) return;
    const known = this.#wrapping.get(index);
    const style = known ?? String(this.#formats.length);
    if (known === undefined) this.#formats.push(wrapping(format));
    this.#wrapping.set(index, style);
    cell.attributes.set('s', style);
  }

  #fontSize(format: TreeElement): number {
    const font = this.#fonts[Number(format.attributes.get('fontId') ?? 0)];
    const size = Number(childOf(font, 'sz')?.attributes.get('val'));
    return size > 0 ? size : DEFAULT_FONT_SIZE;
  }

  /** Writes the styles if cells need new ones. */
  save(): void {
    const list = childOf(this.#styles, 'cellXfs');
    if (this.#part === undefined || !this.#styles || !list || this.#wrapping.size === 0) return;
    list.children = this.#formats;
    list.attributes.set('count', String(this.#formats.length));
    this.#file.write(this.#part, this.#styles);
  }
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Copies a style, and lets it wrap (ISO/IEC 29500-1, 18.8.1 and 18.8.45). */
function wrapping(format: TreeElement): TreeElement {
  const copy = copyOf(format);
  copy.attributes.set('applyAlignment', '1');
  const alignment = childOf(copy, 'alignment');
  if (alignment) alignment.attributes.set('wrapText', '1');
  else copy.children.unshift(element('alignment', { wrapText: '1' }));
  return copy;
}
