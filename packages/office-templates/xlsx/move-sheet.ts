import { decodeXml, encodeXml, type TreeElement } from '@platen/xml';
import type { OfficePackage } from '../opc.ts';
import { allOf, childOf, copyOf, elementsOf, rawText, walk } from '../tree.ts';
import { moveRange, moveReferences, type FilledSheet } from './references.ts';
import { readCell } from './formula.ts';
import type { RowMap, RowPath } from './row-map.ts';
import { anchorsOf, drawingsOf } from './sheet-pictures.ts';

/**
 * Moves the parts of a sheet that refer to rows: merged cells, conditional formats, rules, links, filters,
 * tables, breaks, drawings and comments.
 */
export function moveSheetParts(
  file: OfficePackage,
  sheet: FilledSheet,
  maps: ReadonlyMap<string, RowMap>,
): void {
  const { root, map, part, hasTags } = sheet;
  // Formulas elsewhere can still refer to rows that have moved.
  moveRules(sheet, maps);
  if (!hasTags) return;
  root.children = root.children.filter((child) => typeof child === 'string' || child.name !== 'dimension');
  repeatRanges(root, 'mergeCells', map);
  repeatRanges(root, 'hyperlinks', map);
  const filter = childOf(root, 'autoFilter');
  if (filter) moveAttribute(filter, 'ref', map);
  for (const each of allOf(root, 'sortState')) moveAttribute(each, 'ref', map);
  for (const breaks of elementsOf(root).filter(({ name }) => name === 'rowBreaks')) {
    breaks.children = elementsOf(breaks).flatMap((each) =>
      map
        .copies(Number(each.attributes.get('id')))
        .map(({ number }) => withAttribute(each, 'id', String(number))),
    );
    breaks.attributes.set('count', String(breaks.children.length));
    breaks.attributes.set('manualBreakCount', String(breaks.children.length));
  }
  for (const { kind, target } of file.relationships(part)) {
    if (!file.has(target)) continue;
    if (kind === 'table') moveTable(file, target, map);
    if (kind === 'comments') moveComments(file, target, map);
    if (kind === 'vmlDrawing') moveNotes(file, target, map);
  }
  for (const drawing of drawingsOf(file, part)) moveDrawing(file, drawing, map);
}

function withAttribute(source: TreeElement, key: string, value: string): TreeElement {
  const made = copyOf(source);
  made.attributes.set(key, value);
  return made;
}

function moveAttribute(each: TreeElement, key: string, map: RowMap): void {
  const range = each.attributes.get(key);
  const moved = range === undefined ? undefined : moveRange(range, map);
  if (moved !== undefined) each.attributes.set(key, moved);
}

/** Repeats ranges that are in one iteration, such as merged cells, for each copy of their rows. */
function repeatRanges(root: TreeElement, name: string, map: RowMap): void {
  const list = childOf(root, name);
  if (!list) return;
  list.children = elementsOf(list).flatMap((each) => {
    const range = each.attributes.get('ref') ?? '';
    return pathsOf(range, map).flatMap((path) => {
      const moved = moveRange(range, map, path);
      return moved === undefined ? [] : [withAttribute(each, 'ref', moved)];
    });
  });
  if (list.attributes.has('count')) list.attributes.set('count', String(list.children.length));
  if (list.children.length === 0) root.children = root.children.filter((child) => child !== list);
}

/** Returns the iterations that have a range as a whole: those of its first row, if its last row has them. */
function pathsOf(range: string, map: RowMap): RowPath[] {
  const [first = '', last = first] = range.split(':');
  const [from, to] = [readCell(first)?.row, readCell(last)?.row];
  if (from === undefined || to === undefined) return [[]];
  const starts = map.copies(from);
  const isRepeated = starts.length > 0 && starts.every(({ path }) => path.length > 0);
  const isTogether = map.copies(to).every(({ path }) => path.length > 0);
  return isRepeated && isTogether ? starts.map(({ path }) => path) : [[]];
}

/** Moves the cells and formulas of conditional formats and of rules for input. */
function moveRules({ root, name, map, hasTags }: FilledSheet, maps: ReadonlyMap<string, RowMap>): void {
  for (const each of elementsOf(root)) {
    const rules =
      each.name === 'conditionalFormatting'
        ? [each]
        : each.name === 'dataValidations'
          ? elementsOf(each)
          : [];
    for (const rule of rules) {
      const cells = rule.attributes.get('sqref')?.split(/\s+/) ?? [];
      const path = map.copies(readCell(cells[0]?.split(':')[0] ?? '')?.row ?? 0)[0]?.path ?? [];
      walk(rule, (part) => {
        if (!['formula', 'formula1', 'formula2'].includes(part.name)) return;
        const text = decodeXml(rawText(part));
        part.children = [encodeXml(moveReferences(text, { name, path, maps }))];
      });
      if (!hasTags) continue;
      const moved = cells.flatMap((range) => moveRange(range, map) ?? []);
      if (moved.length > 0) rule.attributes.set('sqref', moved.join(' '));
      else rule.attributes.set('sqref', 'XFD1048576');
    }
  }
}

function moveTable(file: OfficePackage, part: string, map: RowMap): void {
  const table = file.read(part);
  for (const each of [table, ...allOf(table, 'autoFilter'), ...allOf(table, 'sortState')])
    moveAttribute(each, 'ref', map);
  // A table has at least one row beside its heads.
  const [first = '', last = first] = (table.attributes.get('ref') ?? '').split(':');
  const [from, to] = [readCell(first), readCell(last)];
  if (from && to && from.row >= to.row) table.attributes.set('ref', `${first}:${to.column}${from.row + 1}`);
  file.write(part, table);
}

function moveComments(file: OfficePackage, part: string, map: RowMap): void {
  const comments = file.read(part);
  const list = childOf(comments, 'commentList');
  if (!list) return;
  list.children = elementsOf(list).flatMap((each) => {
    const cell = readCell(each.attributes.get('ref') ?? '');
    const number = cell && map.range(cell.row, cell.row)?.[0];
    return cell && number !== undefined ? [withAttribute(each, 'ref', `${cell.column}${number}`)] : [];
  });
  file.write(part, comments);
}

/** Moves the boxes of comments, which are in an older format. */
function moveNotes(file: OfficePackage, part: string, map: RowMap): void {
  const drawing = file.read(part);
  walk(drawing, (each) => {
    if (each.name !== 'x:Row') return;
    const row = Number(rawText(each).trim()) + 1;
    const number = map.range(row, row)?.[0];
    if (number !== undefined) each.children = [String(number - 1)];
  });
  file.write(part, drawing);
}

/** Moves the pictures and charts of a sheet with the rows to which they are anchored. */
function moveDrawing(file: OfficePackage, part: string, map: RowMap): void {
  const { root, anchors } = anchorsOf(file, part);
  for (const anchor of anchors) {
    // The pictures of tags are in their place already.
    if (isOwn(anchor)) continue;
    const rows = elementsOf(anchor).filter(({ name }) => /(?:^|:)(?:from|to)$/.test(name));
    const [from, to] = rows.map((each) => elementsOf(each).find(({ name }) => /(?:^|:)row$/.test(name)));
    if (!from) continue;
    const first = Number(rawText(from)) + 1;
    const start = map.range(first, first)?.[0] ?? first;
    from.children = [String(start - 1)];
    // A chart keeps its height, even if rows beside it are repeated.
    if (to) to.children = [String(start - 1 + Number(rawText(to)) - (first - 1))];
  }
  file.write(part, root);
}

function isOwn(anchor: TreeElement): boolean {
  let found = false;
  walk(anchor, (each) => {
    if (/(?:^|:)cNvPr$/.test(each.name) && Number(each.attributes.get('id')) > 1_000_000) found = true;
  });
  return found;
}
