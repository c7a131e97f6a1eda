import { decodeXml, encodeXml, type TreeElement, type TreeNode } from '@platen/xml';
import { placeBlocks, type BlockRules } from '../blocks.ts';
import { OfficeFault } from '../fault.ts';
import { toTemplate, type PartTemplate } from '../fill-part.ts';
import type { OfficePackage } from '../opc.ts';
import { markTags, tagOf } from '../tags.ts';
import { allOf, childOf, copyOf, element, elementsOf, rawText, walk } from '../tree.ts';
import { columnName, columnNumber, moveFormula, readCell } from './formula.ts';

const RULES: BlockRules = {
  text: 't',
  run: 'r',
  style: 'rPr',
  units: new Set(['row']),
  wholes: new Set(['row']),
  ignored: new Set(['rPr', 'phoneticPr', 'rPh']),
  marksIterations: true,
};

const MAX_ROW = 1_048_576;
/** The most rows without content that a block can enclose. */
const MAX_BLANK_ROWS = 10_000;

/** The texts of a sheet beside its cells that can have tags. */
const PAGE_TEXTS = ['oddHeader', 'oddFooter', 'evenHeader', 'evenFooter', 'firstHeader', 'firstFooter'];

/** A sheet of a workbook. */
export interface Sheet {
  name: string;
  part: string;
  root: TreeElement;
  /** Absent for a sheet without tags. */
  template?: PartTemplate;
  /** The rows that exist or are in a block; ascending. */
  knownRows: number[];
}

/** Reads the sheets of a workbook. @throws {OfficeFault} */
export function readXlsx(file: OfficePackage): Sheet[] {
  const workbook = file.read(file.main);
  const strings = readStrings(file);
  const sheets = childOf(workbook, 'sheets');
  return elementsOf(sheets ?? element('sheets')).flatMap(({ attributes }) => {
    const part = file.target(file.main, attributes.get('r:id'));
    if (part === undefined || !file.has(part) || !file.typeOf(part).endsWith('worksheet+xml')) return [];
    const root = file.read(part);
    return [readSheet({ name: decodeXml(attributes.get('name') ?? ''), part, root }, strings)];
  });
}

function readStrings(file: OfficePackage): TreeElement[] {
  const part = file.relationships(file.main).find(({ kind }) => kind === 'sharedStrings')?.target;
  if (part === undefined || !file.has(part)) return [];
  return elementsOf(file.read(part)).filter(({ name }) => name === 'si');
}

function readSheet(sheet: Pick<Sheet, 'name' | 'part' | 'root'>, strings: readonly TreeElement[]): Sheet {
  const { root, name } = sheet;
  const data = childOf(root, 'sheetData') ?? element('sheetData');
  numberRows(data);
  expandFormulas(data);
  for (const cell of cellsOf(data)) {
    const text = textOfCell(cell, strings);
    if (!text || !allText(text).includes('{{')) continue;
    cell.attributes.set('t', 'inlineStr');
    text.children = text.children.filter(
      (child) => typeof child === 'object' && child.name !== 'rPh' && child.name !== 'phoneticPr',
    );
    cell.children = [text];
    markTags(allOf(text, 't'), `${name}!${cell.attributes.get('r') ?? ''}`);
  }
  for (const text of elementsOf(childOf(root, 'headerFooter') ?? element('headerFooter')))
    if (PAGE_TEXTS.includes(text.name)) markTags([text], `${name}, ${text.name}`);
  let has = false;
  walk(root, (each) => {
    if (tagOf(each)) has = true;
    return !has;
  });
  const rows = elementsOf(data).map(rowNumber);
  if (!has) return { ...sheet, knownRows: rows };
  placeBlocks(root, RULES);
  const inBlocks = addBlankRows(data);
  const known = new Set([...rows, ...inBlocks, ...elementsOf(data).filter(isRow).map(rowNumber)]);
  return {
    ...sheet,
    template: toTemplate(root),
    knownRows: [...known].toSorted((one, other) => one - other),
  };
}

/** Gives each row and cell its number, which files may omit. @throws {OfficeFault} */
function numberRows(data: TreeElement): void {
  let before = 0;
  for (const row of elementsOf(data)) {
    const given = Number(row.attributes.get('r') ?? before + 1);
    if (!isRow(row) || !Number.isInteger(given) || given <= before || given > MAX_ROW)
      throw new OfficeFault('is damaged: the rows of a sheet are not in order');
    before = given;
    row.attributes.set('r', String(given));
    row.attributes.delete('spans');
    let column = 0;
    for (const cell of elementsOf(row)) {
      const position = readCell(cell.attributes.get('r') ?? '');
      column = position ? columnNumber(position.column) : column + 1;
      cell.attributes.set('r', `${columnName(column)}${given}`);
    }
  }
}

export function isRow({ name }: TreeElement): boolean {
  return name === 'row';
}

export function rowNumber({ attributes }: TreeElement): number {
  return Number(attributes.get('r'));
}

/** Returns all cells of the rows directly in an element. */
export function cellsOf(data: TreeElement): TreeElement[] {
  return elementsOf(data).filter(isRow).flatMap(elementsOf);
}

/** Writes formulas that cells share into each of them (ISO/IEC 29500-1, 18.3.1.40). */
function expandFormulas(data: TreeElement): void {
  const shared = new Map<string, { formula: string; at: { column: string; row: number } }>();
  for (const cell of cellsOf(data)) {
    const formula = childOf(cell, 'f');
    if (formula?.attributes.get('t') !== 'shared') continue;
    const id = formula.attributes.get('si') ?? '';
    const at = readCell(cell.attributes.get('r') ?? '');
    const text = decodeXml(rawText(formula));
    if (!at) continue;
    const first = shared.get(id);
    if (text !== '') shared.set(id, { formula: text, at });
    else if (first)
      formula.children = [
        encodeXml(
          moveFormula(first.formula, {
            rows: at.row - first.at.row,
            columns: columnNumber(at.column) - columnNumber(first.at.column),
          }),
        ),
      ];
    for (const name of ['t', 'si', 'ref']) formula.attributes.delete(name);
  }
}

/** Returns the element with the text of a cell, as it stands in a cell; `undefined` for other cells. */
function textOfCell(cell: TreeElement, strings: readonly TreeElement[]): TreeElement | undefined {
  const type = cell.attributes.get('t');
  if (type === 'inlineStr') return childOf(cell, 'is');
  const value = childOf(cell, 'v');
  if (type !== 's' || !value || childOf(cell, 'f')) return undefined;
  const shared = strings[Number(rawText(value))];
  return shared && { ...copyOf(shared), name: 'is' };
}

function allText(text: TreeElement): string {
  return allOf(text, 't')
    .map((each) => decodeXml(rawText(each)))
    .join('');
}

/**
 * Adds the rows without content that blocks enclose, so that they are repeated. Returns all rows in blocks.
 */
function addBlankRows(data: TreeElement): number[] {
  const children: TreeNode[] = [];
  const inBlocks: number[] = [];
  let depth = 0;
  let before = 0;
  let blank = 0;
  for (const child of data.children) {
    if (typeof child === 'string') continue;
    const tag = tagOf(child);
    const number = tag ? Number(/\d+$/.exec(tag.place)?.[0]) : isRow(child) ? rowNumber(child) : before;
    for (let row = depth > 0 ? before + 1 : number; row < number; row += 1) {
      if ((blank += 1) > MAX_BLANK_ROWS)
        throw new OfficeFault(
          `${tag?.place ?? ''}: a block encloses more than ${MAX_BLANK_ROWS} blank rows`,
          'tag',
        );
      children.push(element('row', { r: String(row) }));
      inBlocks.push(row);
    }
    if (tag?.kind === 'open') depth += 1;
    if (depth > 0 || tag) inBlocks.push(number);
    if (tag?.kind === 'close') depth -= 1;
    before = Math.max(before, number);
    children.push(child);
  }
  data.children = children;
  return inBlocks;
}
