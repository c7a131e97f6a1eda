import { asDict, decodeText, type Dict } from '@platen/pdf/objects';
import { repairDescribed } from './repair-described.ts';
import { repairItem, repairList } from './repair-lists.ts';
import { noteElement, noteId, repairCall } from './repair-notes.ts';
import { repairRow, repairTable } from './repair-tables.ts';
import { element, marksOf, type Element, type Kid } from './structure-tree.ts';

/**
 * The types of PDF 2.0 that Chromium writes, each with its role: a standard type for readers that know only
 * ISO 32000-1.
 */
export const ROLES: Readonly<Record<string, string>> = { Em: 'Span', Strong: 'Span' };

/** Types that Chromium writes and the repair replaces, each with the closest type of ISO 32000-1. */
const RENAMED: Readonly<Record<string, string>> = {
  Aside: 'Div',
  DocumentFragment: 'Div',
  FENote: 'Div',
  Note: 'Div',
  Sub: 'Span',
  Title: 'P',
};
/** Elements within a line of text. */
const INLINE = new Set(['Code', 'Em', 'Form', 'Formula', 'Link', 'Quote', 'Reference', 'Span', 'Strong']);
/** Elements that contain text but not paragraphs. */
const TEXT = new Set(['H', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'P', 'Lbl', ...INLINE]);
/** Elements that contain either text or paragraphs. */
const CELLS = new Set(['Caption', 'LBody', 'TD', 'TH']);
const GROUPS = new Set(['Art', 'BlockQuote', 'Div', 'Document', 'NonStruct', 'Part', 'Sect']);
const KNOWN = new Set([
  ...TEXT,
  ...CELLS,
  ...GROUPS,
  'Figure',
  'L',
  'LI',
  'Table',
  'TBody',
  'TFoot',
  'THead',
  'TR',
]);
const LANGUAGE = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,20}$/;

/**
 * Repairs a structure tree that Chromium wrote. Chromium writes an element for each element of the HTML. The
 * result has the elements that ISO 32000-1 14.8.4 requires around text, in lists and in tables, and no
 * elements without a meaning. Drops marks without text that are not pictures, such as borders, so that they
 * become artifacts.
 */
export function repairStructure(kids: readonly Kid[]): Element {
  const repaired = kids.flatMap((kid) => repair(kid));
  const [only] = repaired;
  const root =
    only?.kind === 'element' && only.type === 'Document' && repaired.length === 1
      ? only
      : element('Document', repaired);
  return { ...root, kids: paragraphs(root.kids) };
}

/**
 * Returns the kids that replace a kid: usually the repaired kid itself, or its kids, or none.
 * @param isGraphic whether marks without text are kept, because the kid is in a picture, a label or a form
 * field
 */
function repair(kid: Kid, isGraphic = false): Kid[] {
  if (kid.kind === 'annotation') return [kid];
  if (kid.kind === 'mark') return kid.mark.hasText || isGraphic ? [kid] : [];
  const described = repairDescribed(kid);
  if (described) return [described];
  const type = typeOf(kid.type);
  const note = noteId(kid);
  const keepsGraphics = isGraphic || type === 'Figure' || type === 'Lbl' || type === 'Form';
  const entries = cleanEntries(kid.entries, type);
  const kids = kid.kids.flatMap((inner) => repair(inner, keepsGraphics));
  const isEmpty = kids.length === 0 && type !== 'TD' && type !== 'TH';
  if (isEmpty && !entries.map.has('Alt')) return [];
  switch (type) {
    case 'Figure':
      return repairFigure(element(type, kids, entries));
    case 'L':
      return [repairList(element(type, kids, entries), cellKids)];
    case 'LI':
      return [repairItem(element(type, kids, entries), cellKids)];
    case 'Table':
      return repairTable(element(type, kids, entries), cellKids);
    case 'TR':
      return [repairRow(element(type, kids, entries), cellKids)];
    case 'Link':
      return repairLink(repairCall(element(type, flatten(kids), entries)));
    case 'NonStruct':
      if (note !== undefined) return [noteElement(note, element(type, cellKids(kids), entries))];
      return dissolve(
        element(type, kids, entries),
        kid.kids.every(({ kind }) => kind === 'mark'),
      );
    default:
      if (TEXT.has(type)) return [element(type, flatten(kids), entries)];
      if (CELLS.has(type)) return [element(type, cellKids(kids), entries)];
      return [element(type, GROUPS.has(type) ? paragraphs(kids) : kids, entries)];
  }
}

function typeOf(type: string): string {
  const renamed = RENAMED[type] ?? type;
  if (KNOWN.has(renamed)) return renamed;
  return /^H\d+$/.test(renamed) ? 'P' : 'NonStruct';
}

/** The type of a line of text that becomes a paragraph, or a part of the line of text around it. */
const SOFT = 'soft paragraph';

/**
 * Replaces an element without a meaning with its marks, with a {@link SOFT} line, or with its blocks. An
 * element with entries becomes a group.
 */
function dissolve({ kids, entries }: Element, isText: boolean): Kid[] {
  const hasEntries = entries.map.size > 0;
  if (isText && !hasEntries) return kids;
  if (isLine(kids)) return [element(SOFT, flatten(kids), entries)];
  return hasEntries ? [element('Div', paragraphs(kids), entries)] : paragraphs(kids, true);
}

/**
 * Keeps a figure that has a description or only a picture. Turns a figure that groups a picture and its
 * caption into a group.
 */
function repairFigure(figure: Element): Kid[] {
  const { kids, entries } = figure;
  if (entries.map.has('Alt') || entries.map.has('ActualText')) return [{ ...figure, kids: flatten(kids) }];
  const groups = kids.some(({ kind }) => kind === 'element') || marksOf(kids).some(({ hasText }) => hasText);
  return [groups ? element('Div', paragraphs(kids), entries) : figure];
}

/**
 * Replaces a link whose annotation has become a form field with its text and a form, which contains only the
 * field (ISO 32000-1 14.8.4.5).
 */
function repairLink(link: Element): Kid[] {
  const fields = link.kids.filter(isField);
  if (fields.length === 0) return [link];
  return [
    ...link.kids.filter((kid) => !fields.includes(kid)),
    ...fields.map((field) => element('Form', [field])),
  ];
}

function isField(kid: Kid): boolean {
  return kid.kind === 'annotation' && asDict(kid.annotation)?.name('Subtype') === 'Widget';
}

function isInline(kid: Kid): boolean {
  return kid.kind !== 'element' || INLINE.has(kid.type);
}

/** Tells whether kids are a single line of text, without paragraphs and other blocks. */
function isLine(kids: readonly Kid[]): boolean {
  const softs = kids.filter((kid) => kid.kind === 'element' && kid.type === SOFT);
  const others = kids.filter((kid) => !softs.includes(kid));
  if (!others.every(isInline)) return false;
  return others.length > 0 || softs.length === 1;
}

/** Merges the soft lines among kids into the text around them, for an element that contains no paragraphs. */
function flatten(kids: readonly Kid[]): Kid[] {
  return kids.flatMap((kid) => {
    if (kid.kind !== 'element' || kid.type !== SOFT) return [kid];
    return kid.entries.map.size > 0 ? [element('Span', kid.kids, kid.entries)] : kid.kids;
  });
}

/** Arranges kids for an element in {@link CELLS}. */
function cellKids(kids: readonly Kid[]): Kid[] {
  return isLine(kids) ? flatten(kids) : paragraphs(kids);
}

/**
 * Arranges kids for an element that contains paragraphs: puts text into paragraphs, stray items into lists,
 * and stray rows into tables.
 * @param keepsSoft whether a single {@link SOFT} line stays one
 */
function paragraphs(kids: readonly Kid[], keepsSoft = false): Kid[] {
  const hasLine = kids.some(isInline);
  const kept: Kid[] = [];
  let run: Kid[] = [];
  const endRun = () => {
    if (run.length > 0) kept.push(element('P', flatten(run)));
    run = [];
  };
  for (const kid of kids) {
    const isSoft = kid.kind === 'element' && kid.type === SOFT;
    if (isInline(kid) || (isSoft && hasLine)) run.push(kid);
    else {
      endRun();
      if (isSoft) kept.push(keepsSoft && kids.length === 1 ? kid : { ...kid, type: 'P' });
      else kept.push(kid);
    }
  }
  endRun();
  return wrapParts(kept);
}

/** Puts stray items into a list, and stray rows and cells into a table. */
function wrapParts(kids: readonly Kid[]): Kid[] {
  const wrapped: Kid[] = [];
  let outer: 'L' | 'Table' | undefined;
  let parts: Kid[] = [];
  const endPart = () => {
    if (outer && parts.length > 0) wrapped.push(element(outer, parts));
    parts = [];
  };
  for (const kid of kids) {
    const part = kid.kind === 'element' ? partOf(kid) : undefined;
    if (part?.outer !== outer) endPart();
    outer = part?.outer;
    if (part) parts.push(part.element);
    else wrapped.push(kid);
  }
  endPart();
  return wrapped;
}

/**
 * Returns the type of the element around a part of a list or table, and the kid of this element that contains
 * the part.
 */
function partOf(part: Element): { outer: 'L' | 'Table'; element: Element } | undefined {
  switch (part.type) {
    case 'LI':
      return { outer: 'L', element: part };
    case 'LBody':
      return { outer: 'L', element: element('LI', [part]) };
    case 'Lbl':
      return { outer: 'L', element: element('LI', [element('LBody', part.kids)]) };
    case 'TR':
    case 'THead':
    case 'TBody':
    case 'TFoot':
      return { outer: 'Table', element: part };
    case 'TD':
    case 'TH':
      return { outer: 'Table', element: element('TR', [part]) };
    default:
      return undefined;
  }
}

/**
 * Returns the entries that are known and valid, with attributes and alternative text only for types that have
 * them.
 */
function cleanEntries(entries: Dict, type: string): Dict {
  const clean = entries.copy();
  for (const key of clean.map.keys())
    if (!['A', 'ActualText', 'Alt', 'E', 'ID', 'Lang'].includes(key)) clean.delete(key);
  const language = clean.string('Lang');
  if (!language || !LANGUAGE.test(decodeText(language))) clean.delete('Lang');
  if (!['Form', 'L', 'TD', 'TH'].includes(type)) clean.delete('A', 'ID');
  if (type !== 'Figure' && type !== 'Formula') clean.delete('Alt');
  return clean;
}
