import { asDict, Dict, name, type PdfObject } from '@platen/pdf/objects';
import type { PageMark } from './page-marks.ts';
import type { CellKids } from './repair-lists.ts';
import { element, marksOf, type Element, type Kid } from './structure-tree.ts';

const ROW_GROUPS = new Set(['THead', 'TBody', 'TFoot']);
/** The limits of HTML for `colspan` and `rowspan`. */
const MAX_COLUMN_SPAN = 1_000;
const MAX_ROW_SPAN = 65_534;

/**
 * Makes a table regular (ISO 32000-1 14.8.4.3.4, ISO 14289-1 7.5): it has rows of cells, at most one caption,
 * the same number of columns in each row, and header cells with a scope. Keeps a table head that is printed
 * again on each page once. Replaces a table without rows with the kids of its caption.
 */
export function repairTable(table: Element, cellKids: CellKids): Kid[] {
  const kids = table.kids.flatMap((kid) => (isElement(kid, 'Table') ? kid.kids : [kid]));
  const caption = kids.find(isCaption);
  const rows: Element[] = [];
  const parts: Element[] = [];
  for (const kid of kids) {
    if (kid === caption) continue;
    if (kid.kind === 'element' && ROW_GROUPS.has(kid.type)) {
      const group = kid.kids.map((row) => asRow(row, cellKids));
      rows.push(...group);
      parts.push({ ...kid, kids: group });
    } else {
      const row = isCaption(kid) ? rowOf(kid.kids, cellKids) : asRow(kid, cellKids);
      rows.push(row);
      parts.push(row);
    }
  }
  if (rows.length === 0) return caption?.kids ?? [];
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

function isElement(kid: Kid, type: string): kid is Element {
  return kid.kind === 'element' && kid.type === type;
}

function isCaption(kid: Kid): kid is Element {
  return isElement(kid, 'Caption');
}

function isCell(kid: Kid): kid is Element {
  return isElement(kid, 'TD') || isElement(kid, 'TH');
}

/** A cell and its attributes. */
interface Cell {
  /** The cell as a kid of its row. */
  kid: Element;
  /** The index of its row, from 0. */
  row: number;
  scope: string | undefined;
  rowSpan: number;
  columnSpan: number;
  headers: PdfObject | undefined;
}

/**
 * Limits spans to the rows of the table and to free columns, adds empty cells to short rows, and writes the
 * attributes of the cells.
 */
function fillGrid(rows: readonly Element[]): void {
  const cells: Cell[] = [];
  // For each column, the number of rows from this one that a cell takes.
  const taken: number[] = [];
  const widths: number[] = [];
  for (const [index, row] of rows.entries()) {
    let column = 0;
    for (const kid of row.kids.filter(isCell)) {
      while ((taken[column] ?? 0) > 0) column++;
      const cell = readCell(kid, index);
      cell.rowSpan = Math.min(cell.rowSpan, rows.length - index);
      let span = 1;
      while (span < cell.columnSpan && (taken[column + span] ?? 0) === 0) span++;
      cell.columnSpan = span;
      for (let at = column; at < column + span; at++) taken[at] = cell.rowSpan;
      column += span;
      cells.push(cell);
    }
    let width = taken.length;
    while (width > 0 && (taken[width - 1] ?? 0) === 0) width--;
    widths.push(width);
    for (let at = 0; at < taken.length; at++) taken[at] = Math.max(0, (taken[at] ?? 0) - 1);
  }
  padRows(rows, cells, widths);
  const isSimple = cells.every(
    ({ kid, rowSpan, columnSpan }) => kid.type === 'TD' || (rowSpan === 1 && columnSpan === 1),
  );
  for (const cell of cells) writeCell(cell, isSimple);
}

/**
 * Adds empty cells to the rows that have fewer columns than the widest row. Gaps occur only after the last
 * cell of a row, because cells fill it from the left.
 */
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

function readCell(kid: Element, row: number): Cell {
  const cell: Cell = { kid, row, scope: undefined, rowSpan: 1, columnSpan: 1, headers: undefined };
  const attributes = kid.entries.get('A');
  for (const item of Array.isArray(attributes) ? attributes : [attributes ?? null]) {
    const dict = asDict(item);
    if (dict?.name('O') !== 'Table') continue;
    cell.scope = dict.name('Scope') ?? cell.scope;
    cell.rowSpan = spanOf(dict.number('RowSpan'), MAX_ROW_SPAN) ?? cell.rowSpan;
    cell.columnSpan = spanOf(dict.number('ColSpan'), MAX_COLUMN_SPAN) ?? cell.columnSpan;
    cell.headers = dict.raw('Headers') ?? cell.headers;
  }
  return cell;
}

function spanOf(span: number | undefined, max: number): number | undefined {
  return span === undefined || !Number.isInteger(span) || span < 1 ? undefined : Math.min(span, max);
}

/**
 * Writes the attributes of a cell, and removes its repeated marks. If no header cell spans rows or columns
 * (`isSimple`), the scopes tell which headers apply to a cell, so `Headers` and `ID` are removed.
 */
function writeCell({ kid, row, scope, rowSpan, columnSpan, headers }: Cell, isSimple: boolean): void {
  const isHeader = kid.type === 'TH';
  const attributes = Dict.of({
    O: name('Table'),
    Scope: isHeader ? name(scope ?? (row === 0 ? 'Column' : 'Row')) : undefined,
    RowSpan: rowSpan === 1 ? undefined : rowSpan,
    ColSpan: columnSpan === 1 ? undefined : columnSpan,
    Headers: isSimple ? undefined : headers,
  });
  kid.entries.set('A', attributes.map.size > 1 ? attributes : undefined);
  if (isSimple) kid.entries.delete('ID');
  kid.kids = withoutRepeats(kid.kids);
}

/**
 * Removes the marks on later pages that show the same text as the cell on its first page, such as those of a
 * table head that is printed again.
 */
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
