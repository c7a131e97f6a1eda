import {
  Dict,
  Name,
  PdfStream,
  PdfString,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { isTooSmall, utf8Name } from '../limits/limits.ts';
import { filtersOf, isAllowedFilter, isIntact } from '../limits/stream-filters.ts';
import type { LevelRules } from '../levels.ts';
import type { Findings } from './findings.ts';

/** Entries whose names must be UTF-8: names of fonts, and types of structure elements (ISO 19005-2 6.1.8). */
const UTF8_ENTRIES = ['BaseFont', 'FontName', 'S'];

/**
 * Checks each object separately: names (ISO 19005-2 6.1.8), filters (6.1.7, 6.1.10), embedded files (6.1.11)
 * and limits (6.1.12).
 */
export function checkObjects(document: PdfDocument, findings: Findings): void {
  for (const [number, entry] of document.xref.entries)
    if (entry.kind !== 'free') visit(document.ref(number).value, findings);
  checkObject(document.trailer, findings);
}

function visit(object: PdfObject, findings: Findings): void {
  checkObject(object, findings);
  if (Array.isArray(object)) {
    checkColorants(object, findings);
    for (const item of object) visit(item, findings);
  } else if (object instanceof Dict) visitDict(object, findings);
  else if (object instanceof PdfStream) {
    checkStream(object, findings);
    checkObject(object.dict, findings);
    visitDict(object.dict, findings);
  }
}

function visitDict(dict: Dict, findings: Findings): void {
  const { limits, attachments } = findings.rules;
  for (const key of UTF8_ENTRIES) checkText(dict.raw(key), findings);
  for (const role of dict.dict('RoleMap')?.map.keys() ?? []) checkText(new Name(role), findings);
  for (const [key, value] of dict.map) {
    if (key.length > limits.nameBytes) findings.add('limits', 'a name has more than 127 bytes');
    visit(value, findings);
  }
  if (attachments !== 'none') return;
  if (dict.name('Type') === 'Filespec' || dict.name('Type') === 'F' || dict.map.has('UF'))
    findings.expect(!dict.map.has('EF'), 'attachments', 'a file specification embeds a file');
}

/** Checks the names of the colorants of a colour space. */
function checkColorants([family, colorants = null]: readonly PdfObject[], findings: Findings): void {
  if (!(family instanceof Name) || (family.value !== 'Separation' && family.value !== 'DeviceN')) return;
  const names = resolve(colorants);
  for (const colorant of Array.isArray(names) ? names : [names]) checkText(colorant, findings);
}

function checkText(value: PdfObject | undefined, findings: Findings): void {
  if (findings.rules.part === 1 || !(value instanceof Name)) return;
  findings.expect(utf8Name(value.value) === value.value, 'names', 'a name is not valid UTF-8');
}

function checkObject(object: PdfObject, findings: Findings): void {
  const { limits } = findings.rules;
  if (typeof object === 'number') {
    findings.expect(
      isAllowedNumber(object, findings.rules),
      'limits',
      'a number is outside the permitted range',
    );
  } else if (object instanceof Name && object.value.length > limits.nameBytes)
    findings.add('limits', 'a name has more than 127 bytes');
  else if (object instanceof PdfString && object.bytes.length > limits.stringBytes)
    findings.add('limits', `a string has more than ${limits.stringBytes.toLocaleString('en')} bytes`);
  else if (Array.isArray(object) && object.length > limits.arrayItems)
    findings.add('limits', 'an array has more than 8,191 elements');
  else if (object instanceof Dict && object.map.size > limits.dictEntries)
    findings.add('limits', 'a dictionary has more than 4,095 entries');
}

/** Tells whether a number is within the range of its kind. */
export function isAllowedNumber(value: number, { limits, part }: LevelRules): boolean {
  if (Number.isInteger(value)) return value <= limits.integer && value >= -limits.integer - 1;
  return Math.abs(value) <= limits.real && (part === 1 || !isTooSmall(value));
}

function checkStream(stream: PdfStream, findings: Findings): void {
  for (const key of ['F', 'FFilter', 'FDecodeParms'])
    if (stream.dict.map.has(key)) findings.add('streams', 'the data of a stream is in another file');
  const filters = filtersOf(stream);
  if (filters.includes('LZWDecode')) findings.add('filters', 'a stream is compressed with LZW');
  if (filters.some((filter) => filter !== 'LZWDecode' && !isAllowedFilter(filter, findings.rules)))
    findings.add('filters', `a stream has a filter that PDF/A-${findings.rules.part} does not allow`);
  findings.expect(isIntact(stream), 'streams', 'the compressed data of a stream is damaged');
}
