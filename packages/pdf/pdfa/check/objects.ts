import { Dict, Name, PdfStream, PdfString, type PdfDocument, type PdfObject } from '../../objects/index.ts';
import { LIMITS } from '../limits/limits.ts';
import { filtersOf, isIntact } from '../limits/streams.ts';
import type { Findings } from './report.ts';

/** Checks each object by itself: filters (6.1.7, 6.1.10), attachments (6.1.11) and the limits (6.1.12). */
export function checkObjects(document: PdfDocument, findings: Findings): void {
  for (const [number, entry] of document.xref.entries)
    if (entry.kind === 'plain') visit(document.ref(number).value, findings);
  checkObject(document.trailer, findings);
}

function visit(object: PdfObject, findings: Findings): void {
  checkObject(object, findings);
  if (Array.isArray(object)) for (const item of object) visit(item, findings);
  else if (object instanceof Dict) visitDict(object, findings);
  else if (object instanceof PdfStream) {
    checkStream(object, findings);
    checkObject(object.dict, findings);
    visitDict(object.dict, findings);
  }
}

function visitDict(dict: Dict, findings: Findings): void {
  for (const [key, value] of dict.map) {
    if (key.length > LIMITS.nameBytes) findings.add('6.1.12', 'has a name of more than 127 bytes');
    visit(value, findings);
  }
  if (dict.name('Type') === 'Filespec' || dict.name('Type') === 'F' || dict.map.has('UF'))
    findings.expect(!dict.map.has('EF'), '6.1.11', 'has an embedded file');
}

function checkObject(object: PdfObject, findings: Findings): void {
  if (typeof object === 'number') {
    if (Number.isInteger(object) ? Math.abs(object) > LIMITS.integer : Math.abs(object) > LIMITS.real)
      findings.add('6.1.12', 'has a number that is too large');
  } else if (object instanceof Name && object.value.length > LIMITS.nameBytes)
    findings.add('6.1.12', 'has a name of more than 127 bytes');
  else if (object instanceof PdfString && object.bytes.length > LIMITS.stringBytes)
    findings.add('6.1.12', 'has a string of more than 65,535 bytes');
  else if (Array.isArray(object) && object.length > LIMITS.arrayItems)
    findings.add('6.1.12', 'has an array of more than 8,191 items');
  else if (object instanceof Dict && object.map.size > LIMITS.dictEntries)
    findings.add('6.1.12', 'has a dictionary of more than 4,095 entries');
}

function checkStream(stream: PdfStream, findings: Findings): void {
  for (const key of ['F', 'FFilter', 'FDecodeParms'])
    if (stream.dict.map.has(key)) findings.add('6.1.7', 'has a stream whose data are in another file');
  const filters = filtersOf(stream);
  if (filters.includes('LZWDecode')) findings.add('6.1.10', 'has a stream packed with LZW');
  if (filters.includes('Crypt') || filters.includes('JPXDecode'))
    findings.add('6.1.10', 'has a stream with a filter that PDF 1.4 does not know');
  findings.expect(isIntact(stream), '6.1.7', 'has a stream whose packed data are damaged');
}
