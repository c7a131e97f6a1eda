import { PdfString, resolve } from '@platen/pdf/objects';
import type { UaFindings } from './findings.ts';
import { attribute, type TaggedElement } from './walk-structure.ts';

/** Checks that an element has at most one caption: its first child, or also the last one of a table (7.2). */
export function checkCaption({ type, children }: TaggedElement, findings: UaFindings): void {
  const captions = children.filter((child) => child.type === 'Caption');
  const isFirst = children[0]?.type === 'Caption';
  const isAtEdge = isFirst || (type === 'Table' && children.at(-1)?.type === 'Caption');
  findings.expect(captions.length < 2, '7.2', 'an element has more than one caption');
  findings.expect(
    captions.length === 0 || isAtEdge,
    '7.2',
    'a caption is in the middle or at the end of its element',
  );
}

/** Checks that a table has at most one head and one foot, and a body if it has either (7.2). */
function checkGroups({ children }: TaggedElement, findings: UaFindings): void {
  const count = (type: string) => children.filter((child) => child.type === type).length;
  const [heads, bodies, feet] = [count('THead'), count('TBody'), count('TFoot')];
  findings.expect(heads < 2 && feet < 2, '7.2', 'a table has more than one head or foot');
  findings.expect(heads + feet === 0 || bodies > 0, '7.2', 'a table with a head or a foot has no body');
}

interface Cell {
  element: TaggedElement;
  rowSpan: number;
  columnSpan: number;
}

/**
 * Checks that all rows have the same number of columns, cells do not overlap, and headers are assigned to
 * cells (7.2, 7.5).
 */
export function checkTable(table: TaggedElement, findings: UaFindings): void {
  checkCaption(table, findings);
  checkGroups(table, findings);
  const rows = table.children.flatMap((child) => (child.type === 'TR' ? [child] : child.children));
  const cells = rows.flatMap(({ children }) => children);
  const ids = new Set(cells.flatMap(({ dict }) => dict.string('ID')?.key ?? []));
  // For each column, the number of rows from this one that a cell takes.
  const taken: number[] = [];
  let heights = new Set<number>();
  let width: number | undefined;
  let hasUnscopedHeader = false;
  let hasCellWithoutHeaders = false;
  for (const row of rows) {
    let column = 0;
    let end = taken.findLastIndex((remaining) => remaining > 0) + 1;
    for (const { element, rowSpan, columnSpan } of row.children.map(readCell)) {
      while ((taken[column] ?? 0) > 0) column++;
      for (let at = column; at < column + columnSpan; at++) {
        if ((taken[at] ?? 0) > 0) findings.add('7.2', 'cells of a table overlap');
        taken[at] = rowSpan;
      }
      column += columnSpan;
      end = Math.max(end, column);
      if (element.type === 'TH') hasUnscopedHeader ||= attribute(element, 'Scope') === undefined;
      else hasCellWithoutHeaders ||= !hasHeaders(element, ids);
    }
    width ??= end;
    if (end !== width) findings.add('7.2', 'the rows of a table have different numbers of columns');
    heights = new Set(taken);
    for (const [at, remaining = 0] of taken.entries()) taken[at] = Math.max(0, remaining - 1);
  }
  findings.expect(heights.size < 2, '7.2', 'the columns of a table have different numbers of rows');
  if (hasUnscopedHeader && hasCellWithoutHeaders) findings.add('7.5', 'a header cell has no scope');
}

/** Tells whether a cell names its headers by their IDs. */
function hasHeaders(cell: TaggedElement, ids: ReadonlySet<string>): boolean {
  const headers = attribute(cell, 'Headers');
  const listed = (Array.isArray(headers) ? headers : [headers ?? null]).map((id) => resolve(id));
  return listed.length > 0 && listed.every((id) => id instanceof PdfString && ids.has(id.key));
}

function readCell(element: TaggedElement): Cell {
  const span = (key: string) => {
    const value = attribute(element, key);
    return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), 70_000) : 1;
  };
  return { element, rowSpan: span('RowSpan'), columnSpan: Math.min(span('ColSpan'), 5_000) };
}
