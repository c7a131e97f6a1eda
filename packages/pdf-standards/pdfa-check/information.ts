import { decodeDate, decodeText, Dict, type PdfDocument } from '@platen/pdf/objects';
import type { Findings } from './findings.ts';
import type { XmpNode } from './xmp/rdf.ts';

const DC = 'http://purl.org/dc/elements/1.1/';
const PDF = 'http://ns.adobe.com/pdf/1.3/';
const XMP = 'http://ns.adobe.com/xap/1.0/';

/**
 * The entries of the information dictionary, each with the XMP property that must have the same value (ISO
 * 19005-1 6.7.3).
 */
const EQUALS: readonly (readonly [entry: string, property: string, kind: 'text' | 'date'])[] = [
  ['Title', `${DC} title`, 'text'],
  ['Author', `${DC} creator`, 'text'],
  ['Subject', `${DC} description`, 'text'],
  ['Keywords', `${PDF} Keywords`, 'text'],
  ['Creator', `${XMP} CreatorTool`, 'text'],
  ['Producer', `${PDF} Producer`, 'text'],
  ['CreationDate', `${XMP} CreateDate`, 'date'],
  ['ModDate', `${XMP} ModifyDate`, 'date'],
];

/** Checks that the information dictionary and the metadata agree, which only part 1 requires. */
export function checkInformation(
  document: PdfDocument,
  properties: ReadonlyMap<string, XmpNode>,
  findings: Findings,
): void {
  const info = document.trailer.dict('Info') ?? new Dict();
  for (const [entry, property, kind] of EQUALS) {
    const string = info.string(entry);
    if (!string) continue;
    const inInfo = decodeText(string);
    const values = valuesOf(properties.get(property));
    const [value] = values;
    const equal = kind === 'text' ? value === inInfo : isSameTime(inInfo, value);
    findings.expect(
      values.length === 1 && equal,
      'information',
      `the metadata and the entry ${entry} of the information dictionary differ`,
    );
  }
}

function valuesOf(node: XmpNode | undefined): string[] {
  if (!node) return [];
  if (node.form === 'text') return [node.text];
  const standard = node.children.find(({ language }) => language === 'x-default');
  return node.form === 'Alt' && standard ? [standard.text] : node.children.map(({ text }) => text);
}

/** Tells whether a PDF date and an XMP date are the same point in time. */
function isSameTime(pdfDate: string, value: string | undefined): boolean {
  const date = decodeDate(pdfDate);
  return date !== null && value !== undefined && Date.parse(date) === Date.parse(value);
}
