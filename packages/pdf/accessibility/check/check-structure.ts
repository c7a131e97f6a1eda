import { asDict, decodeText, PdfString, type PdfObject } from '../../objects/index.ts';
import type { UaFindings } from './findings.ts';
import type { TaggedElement } from './walk-structure.ts';

/** The types that an element of each type may contain (ISO 14289-1 7.2). */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  Table: ['TR', 'THead', 'TBody', 'TFoot', 'Caption'],
  THead: ['TR'],
  TBody: ['TR'],
  TFoot: ['TR'],
  TR: ['TH', 'TD'],
  L: ['L', 'LI', 'Caption'],
  LI: ['Lbl', 'LBody'],
  TOC: ['TOC', 'TOCI', 'Caption'],
  TOCI: ['Lbl', 'Reference', 'NonStruct', 'P', 'TOC'],
};
/** The types that may contain an element of each type (ISO 14289-1 7.2). */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  TR: ['Table', 'THead', 'TBody', 'TFoot'],
  THead: ['Table'],
  TBody: ['Table'],
  TFoot: ['Table'],
  TH: ['TR'],
  TD: ['TR'],
  LI: ['L'],
  LBody: ['LI'],
  TOCI: ['TOC'],
};
const LANGUAGE = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,20}$/;

/** Checks the types of all elements, their nesting, and the entries that they need. */
export function checkElements(elements: readonly TaggedElement[], findings: UaFindings): void {
  const notes = new Set<string>();
  for (const element of elements) {
    const { type, written, parent, children, dict } = element;
    if (type === undefined) {
      findings.add('7.1', `the structure type ${written.slice(0, 40)} is not mapped to a standard type`);
      continue;
    }
    const allowed = CHILDREN[type];
    for (const child of children)
      if (allowed && !allowed.includes(child.type ?? ''))
        findings.add(
          '7.2',
          `an element of the type ${type} contains an element of the type ${child.written.slice(0, 40)}`,
        );
    const parents = PARENTS[type];
    if (parents && !parents.includes(parent?.type ?? ''))
      findings.add(
        '7.2',
        `an element of the type ${type} is not in an element of the type ${parents.join(' or ')}`,
      );
    if (type === 'Table') checkTable(element, findings);
    if (type === 'L') checkCaption(element, findings);
    if (type === 'Form' && !isForm(element))
      findings.add('7.18.4', 'a Form element has no role and does not contain exactly one form field');
    if ((type === 'Figure' || type === 'Formula') && !hasText(element))
      findings.add(
        type === 'Figure' ? '7.3' : '7.7',
        `an element of the type ${type} has no alternative text`,
      );
    const language = dict.string('Lang');
    if (language && language.bytes.length > 0 && !isLanguageTag(language))
      findings.add('7.2', 'the language of an element is not a language tag');
    if (type !== 'Note') continue;
    const id = dict.string('ID')?.key ?? '';
    findings.expect(id !== '' && !notes.has(id), '7.9', 'a note has no unique ID');
    notes.add(id);
  }
  checkHeadings(elements, findings);
}

function hasText({ dict }: TaggedElement): boolean {
  return [dict.string('Alt'), dict.string('ActualText')].some((text) => text && text.bytes.length > 0);
}

/** Checks that headings begin with level 1 and skip no level, and that either all or none have a level (7.4). */
function checkHeadings(elements: readonly TaggedElement[], findings: UaFindings): void {
  let last = 0;
  let unnumbered = 0;
  for (const { type = '' } of elements) {
    if (type === 'H') unnumbered += 1;
    const level = /^H([1-6])$/.exec(type)?.[1];
    if (level === undefined) continue;
    if (Number(level) > last + 1)
      findings.add('7.4.2', last === 0 ? `the first heading is H${level}` : `H${level} follows H${last}`);
    last = Number(level);
  }
  if (unnumbered > 0 && last > 0) findings.add('7.4.4', 'headings with and without levels are mixed');
}

function checkCaption({ children }: TaggedElement, findings: UaFindings): void {
  const captions = children.filter(({ type }) => type === 'Caption');
  const isAtEdge = children[0]?.type === 'Caption' || children.at(-1)?.type === 'Caption';
  findings.expect(captions.length < 2, '7.2', 'an element has more than one caption');
  findings.expect(
    captions.length === 0 || isAtEdge,
    '7.2',
    'a caption is neither the first nor the last child of its element',
  );
}

interface Cell {
  element: TaggedElement;
  rowSpan: number;
  columnSpan: number;
}

/** Checks that all rows have the same number of columns, cells do not overlap, and headers are assigned to cells (7.2, 7.5). */
function checkTable(table: TaggedElement, findings: UaFindings): void {
  checkCaption(table, findings);
  const rows = table.children.flatMap((child) => (child.type === 'TR' ? [child] : child.children));
  // For each column, the number of rows from this one that a cell takes.
  const taken: number[] = [];
  let width: number | undefined;
  let hasUnscopedHeader = false;
  let hasCellWithoutHeaders = false;
  for (const [index, row] of rows.entries()) {
    let column = 0;
    let end = taken.findLastIndex((remaining) => remaining > 0) + 1;
    for (const { element, rowSpan, columnSpan } of row.children.map(readCell)) {
      while ((taken[column] ?? 0) > 0) column++;
      for (let at = column; at < column + columnSpan; at++) {
        if ((taken[at] ?? 0) > 0) findings.add('7.2', 'cells of a table overlap');
        taken[at] = rowSpan;
      }
      if (rowSpan > rows.length - index) findings.add('7.2', 'a cell spans more rows than its table has');
      column += columnSpan;
      end = Math.max(end, column);
      if (element.type === 'TH') hasUnscopedHeader ||= attribute(element, 'Scope') === undefined;
      else hasCellWithoutHeaders ||= attribute(element, 'Headers') === undefined;
    }
    width ??= end;
    if (end !== width) findings.add('7.2', 'the rows of a table have different numbers of columns');
    for (const [at, remaining = 0] of taken.entries()) taken[at] = Math.max(0, remaining - 1);
  }
  if (hasUnscopedHeader && hasCellWithoutHeaders) findings.add('7.5', 'a header cell has no scope');
}

function readCell(element: TaggedElement): Cell {
  const span = (key: string) => {
    const value = attribute(element, key);
    return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), 70_000) : 1;
  };
  return { element, rowSpan: span('RowSpan'), columnSpan: Math.min(span('ColSpan'), 5_000) };
}

/** Returns an attribute of an element that has the given owner (ISO 32000-1 14.7.5). */
function attribute({ dict }: TaggedElement, key: string, owner = 'Table'): PdfObject | undefined {
  const attributes = dict.get('A');
  for (const item of Array.isArray(attributes) ? attributes : [attributes ?? null]) {
    const owned = asDict(item);
    if (owned?.name('O') === owner && owned.map.has(key)) return owned.get(key);
  }
  return undefined;
}

/** Tells whether an element is a non-interactive form field with a role (ISO 32000-1 table 348), or contains only an interactive field. */
function isForm(element: TaggedElement): boolean {
  if (attribute(element, 'Role', 'PrintField') !== undefined) return true;
  const kids = element.dict.get('K');
  const [kid = null, ...others] = Array.isArray(kids) ? kids : [kids ?? null];
  const annotation = asDict(kid)?.dict('Obj');
  return others.length === 0 && annotation?.name('Subtype') === 'Widget';
}

/** Tells whether a string has the syntax of a language tag (RFC 5646). */
export function isLanguageTag(string: PdfString): boolean {
  return LANGUAGE.test(decodeText(string));
}

/** Returns the trimmed text of a string; `undefined` if it is missing or blank. */
export function textOf(string: PdfString | undefined): string | undefined {
  const text = string ? decodeText(string).trim() : '';
  return text === '' ? undefined : text;
}
