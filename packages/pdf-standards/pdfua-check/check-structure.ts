import { asDict, decodeText, type PdfString } from '@platen/pdf/objects';
import { checkCaption, checkTable } from './check-tables.ts';
import type { UaFindings } from './findings.ts';
import { attribute, type TaggedElement } from './walk-structure.ts';

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
    if (type === 'L' || type === 'TOC') checkCaption(element, findings);
    if (children.filter((child) => child.type === 'H').length > 1)
      findings.add('7.4.4', 'an element contains more than one heading without a level');
    if (type === 'Form' && !isForm(element))
      findings.add('7.18.4', 'a Form element has no role and does not contain exactly one form field');
    if ((type === 'Figure' || type === 'Formula') && !hasText(element))
      findings.add(
        type === 'Figure' ? '7.3' : '7.7',
        `an element of the type ${type} has no alternative text`,
      );
    const language = dict.string('Lang');
    if (language && !isLanguageTag(language))
      findings.add('7.2', 'the language of an element is not a language tag');
    if (type !== 'Note') continue;
    const id = dict.string('ID')?.key ?? '';
    findings.expect(id !== '' && !notes.has(id), '7.9', 'a note has no unique ID');
    notes.add(id);
  }
  checkHeadings(elements, findings);
}

function hasText({ dict }: TaggedElement): boolean {
  return (dict.string('Alt')?.bytes.length ?? 0) > 0 || dict.string('ActualText') !== undefined;
}

/**
 * Checks that headings begin with level 1 and skip no level, and that either all or none have a level (7.4).
 */
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

/**
 * Tells whether an element is a non-interactive form field with a role (ISO 32000-1 table 348), or contains
 * only an interactive field.
 */
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
