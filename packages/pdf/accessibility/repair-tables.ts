import { asDict, Dict, name, type PdfObject } from '../objects/index.ts';
import type { PageMark } from './page-marks.ts';
import type { CellKids } from './repair-lists.ts';
import { element, marksOf, type Element, type Kid } from './structure-tree.ts';

const ROW_GROUPS = new Set(['THead', 'TBody', 'TFoot']);
/** HTML limits spans to these numbers. */
const MAX_COLUMNS = 1_000;
const MAX_ROWS = 65_534;

/**
 * Makes a table regular (ISO 32000-1 14.8.4.3.4, ISO 14289-1 7.5): it has rows of cells, at most one caption, the same number of columns in each
 * row, and header cells with a scope. A table head that is repeated on each page counts once.
 */
export function repairTable(table: Element, cellKids: CellKids): Kid[] {
  const kids = table.kids.flatMap((kid) => (isElement(kid, 'Table') ? kid.kids : [kid]));
  const caption = kids.find((kid) => isElement(kid, 'Caption'));
  const rows: Element[] = [];
  const parts: Element[] = [];
  for (const kid of kids) {
    if (kid === caption) continue;
    if (kid.kind === 'element' && ROW_GROUPS.has(kid.type)) {
      const group = kid.kids.map((row) => asRow(row, cellKids));
      rows.push(...group);
      parts.push({ ...kid, kids: group });
    } else {
      const row = isElement(kid, 'Caption') ? rowOf(kid.kids, cellKids) : asRow(kid, cellKids);
      rows.push(row);
      parts.push(row);
    }
  }
  if (rows.length === 0) return caption ? asKids(caption) : [];
  fillGrid(rows);
  return [{ ...table, kids: caption ? [caption, ...parts] : parts }];
}

/** Puts everything in a row that is not a cell into cells. */
export function repairRow(row: Element, cellKids: CellKids): Element {
  const kids = row.kids.map((kid) => (isCell(kid) ? kid : element('TD', cellKids([kid]))));
  return { ...row, kids };
}

function asRow(kid: Kid, cellKids: CellKids): Element {
  if (isElement(kid, 'TR')) return kid;
  return isCell(kid) ? element('TR', [kid]) : rowOf([kid], cellKids);
}

function rowOf(kids: readonly Kid[], cellKids: CellKids): Element {
  return element('TR', [element('TD', cellKids(kids))]);
}

function asKids(kid: Kid): Kid[] {
  return kid.kind === 'element' ? kid.kids : [kid];
}

function isElement(kid: Kid, type: string): kid is Element {
  return kid.kind === 'element' && kid.type === type;
}

function isCell(kid: Kid): kid is Element {
  return isElement(kid, 'TD') || isElement(kid, 'TH');
}

/** A cell with its attributes and its place in the grid. */
interface Cell {
  cell: Element;
  row: number;
  scope: string | undefined;
  rowSpan: number;
  columnSpan: number;
  headers: PdfObject | undefined;
}

/** Limits spans to the table, and adds empty cells to short rows. */
function fillGrid(rows: readonly Element[]): void {
  const cells: Cell[] = [];
  // The number of further rows that each column is taken for.
  const taken: number[] = [];
  const widths: number[] = [];
  for (const [index, row] of rows.entries()) {
    let column = 0;
    const skipTaken = () => {
      while ((taken[column] ?? 0) > 0) column++;
    };
    for (const cell of row.kids.filter(isCell)) {
      skipTaken();
      const read = readCell(cell, index);
      read.rowSpan = Math.min(read.rowSpan, rows.length - index);
      let span = 1;
      while (span < read.columnSpan && (taken[column + span] ?? 0) === 0) span++;
      read.columnSpan = span;
      for (let at = column; at < column + span; at++) taken[at] = read.rowSpan;
      column += span;
      cells.push(read);
    }
    let width = taken.length;
    while (width > 0 && (taken[width - 1] ?? 0) === 0) width--;
    widths.push(width);
    for (let at = 0; at < taken.length; at++) taken[at] = Math.max(0, (taken[at] ?? 0) - 1);
  }
  padRows(rows, cells, widths);
  const isSimple = cells.every(
    ({ cell, rowSpan, columnSpan }) => cell.type === 'TD' || (rowSpan === 1 && columnSpan === 1),
  );
  for (const cell of cells) writeCell(cell, isSimple);
}

/** Adds the cells that a row does not have. A gap before the last cell of a row cannot occur, because cells are placed from the left. */
function padRows(rows: readonly Element[], cells: readonly Cell[], widths: readonly number[]): void {
  const width = Math.max(...widths);
  const taken: number[] = [];
  const byRow = Map.groupBy(cells, ({ row }) => row);
  for (const [index, row] of rows.entries()) {
    let column = 0;
    for (const { rowSpan, columnSpan } of byRow.get(index) ?? []) {
      while ((taken[column] ?? 0) > 0) column++;
      for (let at = column; at < column + columnSpan; at++) taken[at] = rowSpan;
      column += columnSpan;
    }
    let gap = 0;
    const fillGap = () => {
      if (gap > 0) row.kids.push(emptyCell(gap));
      gap = 0;
    };
    for (let at = 0; at < width; at++) {
      if ((taken[at] ?? 0) === 0) gap += 1;
      else {
        fillGap();
        taken[at] = (taken[at] ?? 1) - 1;
      }
    }
    fillGap();
  }
}

function emptyCell(columnSpan: number): Element {
  const attributes = Dict.of({ O: name('Table'), ColSpan: columnSpan });
  return element('TD', [], columnSpan === 1 ? new Dict() : Dict.of({ A: attributes }));
}

function readCell(cell: Element, row: number): Cell {
  const read: Cell = { cell, row, scope: undefined, rowSpan: 1, columnSpan: 1, headers: undefined };
  const attributes = cell.entries.get('A');
  for (const item of Array.isArray(attributes) ? attributes : [attributes ?? null]) {
    const dict = asDict(item);
    if (dict?.name('O') !== 'Table') continue;
    read.scope = dict.name('Scope') ?? read.scope;
    read.rowSpan = spanOf(dict.number('RowSpan'), MAX_ROWS) ?? read.rowSpan;
    read.columnSpan = spanOf(dict.number('ColSpan'), MAX_COLUMNS) ?? read.columnSpan;
    read.headers = dict.raw('Headers') ?? read.headers;
  }
  return read;
}

function spanOf(span: number | undefined, most: number): number | undefined {
  return span === undefined || !Number.isInteger(span) || span < 1 ? undefined : Math.min(span, most);
}

/** Writes the attributes of a cell. In a table without spanned header cells, scopes tell which headers a cell has. */
function writeCell({ cell, row, scope, rowSpan, columnSpan, headers }: Cell, isSimple: boolean): void {
  const isHeader = cell.type === 'TH';
  const attributes = Dict.of({
    O: name('Table'),
    Scope: isHeader ? name(scope ?? (row === 0 ? 'Column' : 'Row')) : undefined,
    RowSpan: rowSpan === 1 ? undefined : rowSpan,
    ColSpan: columnSpan === 1 ? undefined : columnSpan,
    Headers: isSimple ? undefined : headers,
  });
  cell.entries.set('A', attributes.map.size > 1 ? attributes : undefined);
  if (isSimple) cell.entries.delete('ID');
  cell.kids = withoutRepeats(cell.kids);
}

/** Removes the marks that show again, on another page, everything that the cell shows on its first page. */
function withoutRepeats(kids: readonly Kid[]): Kid[] {
  const [first, ...others] = Map.groupBy(marksOf(kids), ({ page }) => page).values();
  if (!first || others.length === 0) return [...kids];
  const shown = (marks: readonly PageMark[]) => marks.map((mark) => mark.shown).join('\n');
  const repeats = new Set(others.filter((marks) => shown(marks) === shown(first)).flat());
  return repeats.size === 0 ? [...kids] : without(kids, repeats);
}

function without(kids: readonly Kid[], repeats: ReadonlySet<PageMark>): Kid[] {
  return kids.flatMap((kid): Kid[] => {
    if (kid.kind === 'mark') return repeats.has(kid.mark) ? [] : [kid];
    return kid.kind === 'element' ? [{ ...kid, kids: without(kid.kids, repeats) }] : [kid];
  });
}
