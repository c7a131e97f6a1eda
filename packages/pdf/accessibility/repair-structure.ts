import { asDict, decodeText, type Dict } from '../objects/index.ts';
import { repairItem, repairList } from './repair-lists.ts';
import { repairRow, repairTable } from './repair-tables.ts';
import { element, marksOf, type Element, type Kid } from './structure-tree.ts';

/** The standard types of the types of PDF 2.0 that Chromium writes, for readers that know only ISO 32000-1. */
export const ROLES: Readonly<Record<string, string>> = { Em: 'Span', Strong: 'Span' };

/** Types of Chromium without an equal type in ISO 32000-1. */
const RENAMED: Readonly<Record<string, string>> = {
  Aside: 'Div',
  DocumentFragment: 'Div',
  FENote: 'Div',
  Note: 'Div',
  Sub: 'Span',
  Title: 'P',
};
/** Elements that are a part of a line of text. */
const INLINE = new Set(['Code', 'Em', 'Form', 'Formula', 'Link', 'Quote', 'Reference', 'Span', 'Strong']);
/** Elements that contain text but no paragraphs. */
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
 * Repairs a structure tree as Chromium writes it. Chromium writes an element for each element of the document; the result has the elements
 * that ISO 32000-1 14.8.4 requires around text, in lists and in tables, and no others. Marks without text that are not pictures, such as
 * borders, have no element and become artifacts.
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

/** Returns the replacement of a kid: itself, its kids, or nothing. */
function repair(kid: Kid, isGraphic = false): Kid[] {
  if (kid.kind === 'annotation') return [kid];
  if (kid.kind === 'mark') return kid.mark.hasText || isGraphic ? [kid] : [];
  const type = typeOf(kid.type);
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
      return repairLink(element(type, flatten(kids), entries));
    case 'NonStruct':
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

/** The type of an element that becomes a paragraph, or dissolves in the line of text that it is in. */
const SOFT = 'soft paragraph';

/** Replaces an element without a meaning: text by its marks, and other elements by their kids or by a paragraph. */
function dissolve({ kids, entries }: Element, isText: boolean): Kid[] {
  const hasEntries = entries.map.size > 0;
  if (isText && !hasEntries) return kids;
  if (isLine(kids)) return [element(SOFT, flatten(kids), entries)];
  return hasEntries ? [element('Div', paragraphs(kids), entries)] : paragraphs(kids, true);
}

/** Keeps a figure with a description. Other figures group a picture and its caption. */
function repairFigure(figure: Element): Kid[] {
  const { kids, entries } = figure;
  if (entries.map.has('Alt') || entries.map.has('ActualText')) return [{ ...figure, kids: flatten(kids) }];
  const groups = kids.some(({ kind }) => kind === 'element') || marksOf(kids).some(({ hasText }) => hasText);
  return [groups ? element('Div', paragraphs(kids), entries) : figure];
}

/** Turns a link whose annotation has become a form field into a form, which contains nothing but the field (ISO 32000-1 14.8.4.5). */
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

/** Tells whether kids are one line of text, without paragraphs and other blocks. */
function isLine(kids: readonly Kid[]): boolean {
  const softs = kids.filter((kid) => kid.kind === 'element' && kid.type === SOFT);
  const others = kids.filter((kid) => !softs.includes(kid));
  if (!others.every(isInline)) return false;
  return others.length > 0 || softs.length === 1;
}

/** Returns kids for an element that contains no paragraphs. */
function flatten(kids: readonly Kid[]): Kid[] {
  return kids.flatMap((kid) => {
    if (kid.kind !== 'element' || kid.type !== SOFT) return [kid];
    return kid.entries.map.size > 0 ? [element('Span', kid.kids, kid.entries)] : kid.kids;
  });
}

function cellKids(kids: readonly Kid[]): Kid[] {
  return isLine(kids) ? flatten(kids) : paragraphs(kids);
}

/**
 * Returns kids for an element that contains paragraphs: text is put into paragraphs, items into lists, and rows into tables.
 * @param soft whether a single paragraph stays a {@link SOFT} one
 */
function paragraphs(kids: readonly Kid[], soft = false): Kid[] {
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
      if (isSoft) kept.push(soft && kids.length === 1 ? kid : { ...kid, type: 'P' });
      else kept.push(kid);
    }
  }
  endRun();
  return wrapParts(kept);
}

/** Puts items that are in no list into a list, and rows and cells that are in no table into a table. */
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

/** Returns the element that a part of a list or table must be in, and the part as its kid. */
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

/** Keeps the entries that are valid, and attributes where they apply. */
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
