import { decodeXml, encodeXml, type TreeElement, type TreeNode } from '@platen/xml';
import { OfficeFault } from '../fault.ts';
import { fillPart, type Filling } from '../fill-part.ts';
import type { OfficePackage } from '../opc.ts';
import type { Pictures } from '../pictures.ts';
import { childOf, element, elementsOf, rawText } from '../tree.ts';
import { VALUE } from '../values.ts';
import { flatten, writeCell, type CellRules } from './cells.ts';
import { countsFrom1904, dateStyles } from './number-formats.ts';
import { isRow, rowNumber, type Sheet } from './read.ts';
import { RowMap, type FilledRow, type RowPath } from './row-map.ts';
import { addCellPictures, type CellPicture } from './sheet-pictures.ts';
import { WrapStyles } from './wrap-styles.ts';
import { moveSheetParts } from './move-sheet.ts';
import { moveWorkbookParts } from './move-workbook.ts';
import { moveRange, moveReferences, type FilledSheet } from './references.ts';

const MAX_ROW = 1_048_576;

/** Fills the sheets of a workbook, and moves everything that refers to rows. @throws {OfficeFault} */
export function fillXlsx(
  file: OfficePackage,
  sheets: readonly Sheet[],
  { filling, pictures }: { filling: Filling; pictures: Pictures },
): void {
  if (!sheets.some(({ template }) => template)) return;
  const workbook = file.read(file.main);
  const wrapStyles = new WrapStyles(file);
  const rules = { dateStyles: dateStyles(file), is1904: countsFrom1904(workbook), wrapStyles };
  const filled = sheets.map((sheet) => fillSheet(file, sheet, { filling, pictures, rules }));
  wrapStyles.save();
  const maps = new Map(filled.map(({ name, map }) => [name.toLowerCase(), map]));
  for (const sheet of filled) {
    moveFormulas(sheet, maps);
    moveSheetParts(file, sheet, maps);
    file.write(sheet.part, sheet.root);
  }
  moveWorkbookParts(file, workbook, { sheets: filled, maps });
}

function fillSheet(
  file: OfficePackage,
  { name, part, template, knownRows, ...sheet }: Sheet,
  { filling, pictures, rules }: { filling: Filling; pictures: Pictures; rules: CellRules },
): FilledSheet {
  const root = template ? fillPart(template, filling) : sheet.root;
  const data = childOf(root, 'sheetData') ?? element('sheetData');
  const { rows, paths } = template
    ? numberFilledRows(data, new Set(knownRows))
    : { rows: knownRows.map((number) => ({ original: number, number, path: [] })), paths: new Map() };
  const found: CellPicture[] = [];
  for (const row of template ? elementsOf(data).filter(isRow) : [])
    for (const cell of elementsOf(row))
      for (const node of writeCell(cell, row, rules)) {
        const picture = pictures.read(node);
        if (picture) found.push({ cell: cell.attributes.get('r') ?? '', picture });
      }
  for (const text of elementsOf(childOf(root, 'headerFooter') ?? element('headerFooter')))
    if (elementsOf(text).some((child) => child.name === VALUE)) text.children = [pageText(text)];
  const made = { name, part, root, map: new RowMap(knownRows, rows), paths, hasTags: template !== undefined };
  if (found.length > 0) addCellPictures(file, made, { found, pictures });
  return made;
}

/** Returns the text of a header or footer, in which `&` begins a code. */
function pageText(text: TreeElement): string {
  return text.children
    .map((child) =>
      typeof child === 'string'
        ? child
        : flatten({ ...text, children: [child] }).replaceAll('&amp;', '&amp;&amp;'),
    )
    .join('');
}

/** Numbers the rows and cells of a filled sheet, and removes the marks of iterations. */
function numberFilledRows(
  data: TreeElement,
  known: ReadonlySet<number>,
): { rows: FilledRow[]; paths: Map<TreeElement, RowPath> } {
  const rows: FilledRow[] = [];
  const paths = new Map<TreeElement, RowPath>();
  const children: TreeNode[] = [];
  const path: { block: string; iteration: number }[] = [];
  const iterations = new Map<string, number>();
  let before = { original: 0, number: 0 };
  const free = (from: number, to: number) => {
    let count = 0;
    for (let row = from + 1; row < to; row += 1) if (!known.has(row)) count += 1;
    return count;
  };
  for (const child of elementsOf(data)) {
    const block = child.attributes.get('block') ?? '';
    if (child.name === 'platen:begin') {
      const iteration = (iterations.get(block) ?? 0) + 1;
      iterations.set(block, iteration);
      const depth = path.findIndex((step) => step.block === block);
      if (depth >= 0) path.length = depth;
      path.push({ block, iteration });
    } else if (child.name === 'platen:end') {
      const depth = path.findIndex((step) => step.block === block);
      if (depth >= 0) path.length = depth;
    } else if (isRow(child)) {
      const original = rowNumber(child);
      const number = before.number + 1 + free(before.original, original);
      if (number > MAX_ROW)
        throw new OfficeFault(`the data makes more than ${MAX_ROW} rows in a sheet`, 'tag');
      before = { original, number };
      child.attributes.set('r', String(number));
      for (const cell of elementsOf(child)) {
        const column = /^[A-Z]+/.exec(cell.attributes.get('r') ?? '')?.[0] ?? 'A';
        cell.attributes.set('r', `${column}${number}`);
      }
      rows.push({ original, number, path: [...path] });
      paths.set(child, [...path]);
      children.push(child);
    }
  }
  data.children = children;
  return { rows, paths };
}

/** Moves the references in the formulas of a sheet, and removes the results that they had. */
function moveFormulas({ name, root, map, paths }: FilledSheet, maps: ReadonlyMap<string, RowMap>): void {
  const data = childOf(root, 'sheetData');
  for (const row of data ? elementsOf(data) : [])
    for (const cell of elementsOf(row)) {
      const formula = childOf(cell, 'f');
      if (!formula) continue;
      const path = paths.get(row) ?? [];
      const text = decodeXml(rawText(formula));
      formula.children = [encodeXml(moveReferences(text, { name, path, maps }))];
      const range = formula.attributes.get('ref');
      if (range !== undefined)
        formula.attributes.set('ref', moveRange(range, map, path) ?? cell.attributes.get('r') ?? range);
      cell.children = [formula];
      cell.attributes.delete('t');
    }
}
