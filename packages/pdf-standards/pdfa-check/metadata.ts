import { isUtf8 } from 'node:buffer';
import { decodeStream, Dict, PdfStream, type PdfDocument, type PdfObject } from '@platen/pdf/objects';
import { readExtensionSchemas, type DeclaredProperty } from './extension-schemas.ts';
import type { CheckContext, Findings } from './findings.ts';
import { checkInformation } from './information.ts';
import { parseXml } from '@platen/xml';
import { predefinedSchemas } from './xmp/predefined-schemas.ts';
import { readXmpNodes, type XmpNode } from './xmp/rdf.ts';

const PDFA_EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';
const PDFA_ID = 'http://www.aiim.org/pdfa/ns/id/';

/**
 * Checks that the XMP metadata exists, claims the level, and has only known properties with values of their
 * types. In part 1, also checks that it agrees with the information dictionary.
 */
export function checkMetadata({ document, findings }: CheckContext): void {
  const metadata = document.catalog.get('Metadata');
  if (!(metadata instanceof PdfStream)) {
    findings.add('metadata', 'the document has no metadata stream');
    return;
  }
  const { dict } = metadata;
  const { rules } = findings;
  findings.expect(
    dict.name('Type') === 'Metadata' && dict.name('Subtype') === 'XML',
    'metadata',
    'the metadata stream does not have the type Metadata and the subtype XML',
  );
  findings.expect(rules.part > 1 || !dict.map.has('Filter'), 'metadata', 'the metadata stream is compressed');
  const bytes = decodeStream(metadata, document.budget);
  const nodes = readPacket(bytes ?? new Uint8Array(), findings);
  if (!nodes) {
    findings.add('properties', 'the metadata is not well-formed XMP');
    return;
  }
  const declared = readExtensionSchemas(nodes, findings);
  checkProperties(nodes, declared, findings);
  if (rules.part > 1) checkOtherMetadata(document, declared, findings);
  const properties = new Map(nodes.map((node) => [node.name, node]));
  checkClaim(properties, findings);
  if (rules.part === 1) checkInformation(document, properties, findings);
}

/** Reads the properties of an XMP packet in UTF-8. Returns `undefined` if it is not well-formed. */
function readPacket(bytes: Uint8Array, findings: Findings): XmpNode[] | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const header = /<\?xpacket begin=[^?]*\?>/.exec(text)?.[0] ?? '';
  findings.expect(
    !/\sbytes\s*=/.test(header) && !/\sencoding\s*=/.test(header),
    'packets',
    'the XMP packet header has a bytes or encoding attribute',
  );
  const root = parseXml(text.replace(/^\ufeff/, '').trim());
  return root && readXmpNodes(root);
}

/**
 * Checks the metadata of images, pages and other objects, whose properties the metadata of the document may
 * describe (ISO 19005-2 6.6.2.3).
 */
function checkOtherMetadata(document: PdfDocument, declared: Declared, findings: Findings): void {
  const main = document.catalog.get('Metadata');
  for (const stream of metadataStreams(document)) {
    if (stream === main) continue;
    const nodes = readPacket(decodeStream(stream, document.budget) ?? new Uint8Array(), findings);
    findings.expect(nodes !== undefined, 'properties', 'the metadata of an object is not well-formed XMP');
    if (!nodes) continue;
    checkProperties(nodes, new Map([...declared, ...readExtensionSchemas(nodes, findings)]), findings);
  }
}

/** Finds the metadata streams of all objects. */
function metadataStreams(document: PdfDocument): Set<PdfStream> {
  const found = new Set<PdfStream>();
  const visit = (object: PdfObject): void => {
    const dict = object instanceof PdfStream ? object.dict : object;
    if (Array.isArray(dict)) for (const item of dict) visit(item);
    if (!(dict instanceof Dict)) return;
    const metadata = dict.get('Metadata');
    if (metadata instanceof PdfStream) found.add(metadata);
    for (const value of dict.map.values()) visit(value);
  };
  for (const [number, entry] of document.xref.entries)
    if (entry.kind !== 'free') visit(document.ref(number).value);
  return found;
}

type Declared = ReadonlyMap<string, DeclaredProperty>;

/**
 * Checks that each property is predefined, or described by an extension schema, and that its value has its
 * type.
 */
function checkProperties(nodes: readonly XmpNode[], declared: Declared, findings: Findings): void {
  const predefined = predefinedSchemas(findings.rules);
  for (const node of nodes) {
    const [uri, local = ''] = node.name.split(' ');
    if (uri === PDFA_EXTENSION && local === 'schemas') continue;
    const known = predefined.properties.get(node.name);
    const { type, types } =
      known === undefined ? (declared.get(node.name) ?? {}) : { type: known, types: predefined.types };
    findings.expect(
      type !== undefined,
      'properties',
      `the metadata has the unknown property ${local.slice(0, 40)}`,
    );
    findings.expect(
      type === undefined || types?.matches(node, type) === true,
      'properties',
      `the metadata has the property ${local.slice(0, 40)} with a value of a wrong type`,
    );
    findings.expect(
      uri !== PDFA_ID || node.prefix === 'pdfaid',
      'identification',
      'the PDF/A identification does not use the namespace prefix pdfaid',
    );
  }
}

function checkClaim(properties: ReadonlyMap<string, XmpNode>, findings: Findings): void {
  const part = properties.get(`${PDFA_ID} part`)?.text ?? '';
  const conformance = properties.get(`${PDFA_ID} conformance`)?.text ?? '';
  const { rules } = findings;
  findings.expect(
    part === `${rules.part}` && rules.including.includes(conformance),
    'identification',
    `the metadata does not identify the document as ${rules.title}`,
  );
}
