import { decodeXml, encodeXml, type TreeElement } from '@platen/xml';
import { OfficeFault } from '../fault.ts';
import { isPicture } from '../picture-data.ts';
import { allOf, childOf, element, walk } from '../tree.ts';
import { readValue, VALUE } from '../values.ts';
import { toSerial } from './number-formats.ts';
import type { WrapStyles } from './wrap-styles.ts';

/** The most characters of a cell. */
const MAX_CHARACTERS = 32_767;

/** How a workbook shows dates and line breaks. */
export interface CellRules {
  dateStyles: ReadonlySet<string>;
  is1904: boolean;
  wrapStyles: Pick<WrapStyles, 'wrap'>;
}

/**
 * Writes the value of a filled cell: a number, date or Boolean if the cell had one tag and nothing else, and
 * text otherwise, which is never a formula. Changes the cell and the height of its row, and returns the
 * pictures that the cell asks for.
 * @throws {OfficeFault}
 */
export function writeCell(cell: TreeElement, row: TreeElement, rules: CellRules): TreeElement[] {
  const text = childOf(cell, 'is');
  if (!text) return [];
  const pictures: TreeElement[] = [];
  walk(text, (each) => {
    if (!isPicture(each)) return true;
    pictures.push(each);
    return false;
  });
  const texts = allOf(text, 't');
  for (const each of texts)
    each.children = each.children.filter((child) => typeof child === 'string' || !isPicture(child));
  const pieces = texts.flatMap(({ children }) => children).filter((child) => child !== '');
  const [only] = pieces;
  const blank = () => {
    cell.attributes.delete('t');
    cell.children = [];
  };
  const set = (value: string, type?: string) => {
    blank();
    if (type !== undefined) cell.attributes.set('t', type);
    cell.children = [element('v', {}, [value])];
  };
  if (!only) {
    blank();
    return pictures;
  }
  if (pieces.length === 1 && typeof only === 'object' && only.name === VALUE) {
    const { kind, text: written } = readValue(only);
    const serial = rules.dateStyles.has(cell.attributes.get('s') ?? '')
      ? toSerial(written, rules)
      : undefined;
    if (kind === 'number') set(written);
    else if (kind === 'boolean') set(written === 'true' ? '1' : '0', 'b');
    else if (serial !== undefined) set(String(serial));
    if (kind !== 'text' || serial !== undefined) return pictures;
  }
  const hasBreak = pieces.some((piece) => typeof piece === 'object' && /[\r\n]/.test(readValue(piece).text));
  let length = 0;
  let lines = 1;
  for (const each of texts) {
    const written = flatten(each);
    each.children = [written];
    const characters = decodeXml(written);
    length += characters.length;
    lines += characters.split('\n').length - 1;
  }
  if (length > MAX_CHARACTERS)
    throw new OfficeFault(`the text of a cell is longer than ${MAX_CHARACTERS} characters`, 'tag');
  if (hasBreak) rules.wrapStyles.wrap(cell, { row, lines });
  return pictures;
}

/** Returns the text of an element with values, as it stands in XML. */
export function flatten({ children }: TreeElement): string {
  return children
    .map((child) =>
      typeof child === 'string' ? child : encodeXml(readValue(child).text.replaceAll(/\r\n?/g, '\n')),
    )
    .join('');
}
