import {
  asDict,
  claimedPdfa,
  decodeStream,
  Dict,
  PdfDocument,
  PdfError,
  PdfStream,
  resolve,
  type PdfObject,
} from '@platen/pdf/objects';
import { levelOf } from '../levels.ts';
import type { CheckContext } from './findings.ts';

/** The syntax of a media type, which ISO 19005-3 requires for embedded files. */
export const MEDIA_TYPE = /^[-\w+.]+\/[-\w+.]+$/;

/**
 * The file specifications of a document that embed files, and the file specifications in its `AF` entries.
 */
interface Embedded {
  specifications: Set<Dict>;
  associated: Set<Dict>;
}

/**
 * Checks embedded files (ISO 19005-2 6.8, ISO 19005-3 6.8). Part 1 forbids them; other checks report that.
 */
export function checkAttachments({ document, findings, conforms }: CheckContext): void {
  const { attachments } = findings.rules;
  if (attachments === 'none') return;
  const { specifications, associated } = readEmbedded(document);
  for (const specification of specifications) {
    findings.expect(
      specification.string('F') !== undefined && specification.string('UF') !== undefined,
      'attachments',
      'an embedded file does not have both F and UF as its name',
    );
    const files = [...(specification.dict('EF')?.map.values() ?? [])].map((file) => resolve(file));
    if (attachments === 'pdfa') {
      for (const file of files)
        findings.expect(
          file instanceof PdfStream && isArchived(file, document, conforms),
          'attachments',
          'an embedded file is not PDF/A-1 or PDF/A-2',
        );
      continue;
    }
    findings.expect(
      specification.name('AFRelationship') !== undefined,
      'attachments',
      'an embedded file has no AFRelationship',
    );
    findings.expect(
      associated.has(specification),
      'attachments',
      'an embedded file is not associated with the document or a part of it',
    );
    for (const file of files)
      findings.expect(
        file instanceof PdfStream && MEDIA_TYPE.test(file.dict.name('Subtype') ?? ''),
        'attachments',
        'an embedded file has no media type',
      );
  }
}

/** Tells whether an embedded file conforms to PDF/A-1 or PDF/A-2, at the level that it claims. */
export function isArchived(
  file: PdfStream,
  { budget }: PdfDocument,
  conforms: CheckContext['conforms'],
): boolean {
  const pdf = decodeStream(file, budget);
  if (!pdf) return false;
  try {
    const [part = '', conformance = ''] = claimedPdfa(PdfDocument.open(pdf)) ?? '';
    const level = levelOf(part, conformance);
    return level !== undefined && part !== '3' && conforms(pdf, level);
  } catch (error) {
    if (error instanceof PdfError) return false;
    throw error;
  }
}

function readEmbedded(document: PdfDocument): Embedded {
  const embedded: Embedded = { specifications: new Set(), associated: new Set() };
  for (const [number, entry] of document.xref.entries)
    if (entry.kind !== 'free') visit(document.ref(number).value, embedded);
  return embedded;
}

function visit(object: PdfObject, embedded: Embedded): void {
  if (Array.isArray(object)) for (const item of object) visit(item, embedded);
  const dict = object instanceof PdfStream ? object.dict : object;
  if (!(dict instanceof Dict)) return;
  if (dict.dict('EF')) embedded.specifications.add(dict);
  for (const file of dict.array('AF') ?? []) {
    const associated = asDict(file);
    if (associated) embedded.associated.add(associated);
  }
  for (const value of dict.map.values()) visit(value, embedded);
}
