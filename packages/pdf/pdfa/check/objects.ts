import { Dict, Name, PdfStream, PdfString, type PdfDocument, type PdfObject } from '../../objects/index.ts';
import { LIMITS } from '../limits/limits.ts';
import { filtersOf, isAllowedFilter, isIntact } from '../limits/stream-filters.ts';
import type { Findings } from './findings.ts';

/** Checks each object on its own: filters (6.1.7, 6.1.10), embedded files (6.1.11) and implementation limits (6.1.12). */
export function checkObjects(document: PdfDocument, findings: Findings): void {
  for (const [number, entry] of document.xref.entries)
    if (entry.kind === 'in-use') visit(document.ref(number).value, findings);
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
    if (key.length > LIMITS.nameBytes) findings.add('6.1.12', 'a name has more than 127 bytes');
    visit(value, findings);
  }
  if (dict.name('Type') === 'Filespec' || dict.name('Type') === 'F' || dict.map.has('UF'))
    findings.expect(!dict.map.has('EF'), '6.1.11', 'a file specification embeds a file');
}

function checkObject(object: PdfObject, findings: Findings): void {
  if (typeof object === 'number') {
    if (Number.isInteger(object) ? Math.abs(object) > LIMITS.integer : Math.abs(object) > LIMITS.real)
      findings.add('6.1.12', 'a number is outside the permitted range');
  } else if (object instanceof Name && object.value.length > LIMITS.nameBytes)
    findings.add('6.1.12', 'a name has more than 127 bytes');
  else if (object instanceof PdfString && object.bytes.length > LIMITS.stringBytes)
    findings.add('6.1.12', 'a string has more than 65,535 bytes');
  else if (Array.isArray(object) && object.length > LIMITS.arrayItems)
    findings.add('6.1.12', 'an array has more than 8,191 elements');
  else if (object instanceof Dict && object.map.size > LIMITS.dictEntries)
    findings.add('6.1.12', 'a dictionary has more than 4,095 entries');
}

function checkStream(stream: PdfStream, findings: Findings): void {
  for (const key of ['F', 'FFilter', 'FDecodeParms'])
    if (stream.dict.map.has(key)) findings.add('6.1.7', 'the data of a stream is in another file');
  const filters = filtersOf(stream);
  if (filters.includes('LZWDecode')) findings.add('6.1.10', 'a stream is compressed with LZW');
  if (filters.some((filter) => filter !== 'LZWDecode' && !isAllowedFilter(filter)))
    findings.add('6.1.10', 'a stream has a filter that PDF 1.4 does not define');
  findings.expect(isIntact(stream), '6.1.7', 'the compressed data of a stream is damaged');
}
