import { claimedPdfa, encodeText, Ref, type Dict, type PdfDocument } from '@platen/pdf/objects';
import { buildInfo, readDocumentInfo } from '@platen/pdf/properties';
import { metadataStream } from '@platen/pdf/properties';
import { writeXmp } from '@platen/pdf/properties';

const NAMESPACE = 'http://www.aiim.org/pdfua/ns/id/';
const CLAIM = `<rdf:Description rdf:about="" xmlns:pdfuaid="${NAMESPACE}"><pdfuaid:part>1</pdfuaid:part></rdf:Description>`;

/**
 * The extension schema of the claim. PDF/A requires one for each property that it does not define (ISO
 * 19005-1 6.7.8).
 */
const SCHEMA = `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>The part of ISO 14289 that the document conforms to</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>`;
/** The start of the list of extension schemas. */
const SCHEMAS = '<pdfaExtension:schemas><rdf:Bag>';

/** The properties of an earlier claim, which may occur only once. */
const IDENTIFICATION = ['pdfuaid:part', 'pdfuaid:amd', 'pdfuaid:corr'];

/** Adds the extension schema, if it is missing, to the only list of the metadata, or adds a list. */
function withSchema(xmp: string): string {
  if (xmp.includes(`namespaceURI>${NAMESPACE}<`)) return xmp;
  if (xmp.includes(SCHEMAS)) return xmp.replace(SCHEMAS, () => `${SCHEMAS}${SCHEMA}`);
  const list = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">${SCHEMAS}${SCHEMA}</rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
  return withDescription(xmp, list);
}

function withDescription(xmp: string, description: string): string {
  const end = xmp.lastIndexOf('</rdf:RDF>');
  return `${xmp.slice(0, end)}${description}\n${xmp.slice(end)}`;
}

/** Adds the PDF/UA-1 identification to XMP metadata, with its extension schema if the document is PDF/A. */
export function withPdfuaClaim(xmp: string, isPdfa: boolean): string {
  return withDescription(isPdfa ? withSchema(xmp) : xmp, CLAIM);
}

/** The metadata of an accessible document. */
export interface AccessibleMetadata {
  title: string;
  /** A language tag (BCP 47); an empty string if the language is unknown. */
  language: string;
  /** Whether the metadata claims that the document is PDF/UA-1. */
  claimsPdfua: boolean;
}

/**
 * Writes the title, the language, the modification date and the claim (ISO 14289-1 5, 7.1, 7.2), and keeps
 * all other metadata. Returns the information dictionary.
 * @param now epoch milliseconds
 */
export function writeMetadata(
  document: PdfDocument,
  { title, language, claimsPdfua }: AccessibleMetadata,
  now: number,
): Dict {
  const { catalog } = document;
  const info = readDocumentInfo(document, { title, language }, now);
  const replaced = new Set([
    'dc:title',
    'dc:language',
    'xmp:ModifyDate',
    'xmp:MetadataDate',
    ...IDENTIFICATION,
  ]);
  const xmp = writeXmp(document, { info, keywords: [], language: language || undefined, replaced });
  const claimed = claimsPdfua ? withPdfuaClaim(xmp, claimedPdfa(document) !== null) : xmp;
  catalog.set('Metadata', Ref.to(metadataStream(claimed)));
  catalog.set('Lang', language === '' ? undefined : encodeText(language));
  const dict = document.trailer.dict('Info')?.copy() ?? buildInfo({ modifiedAt: info.modifiedAt });
  for (const [key, value] of buildInfo(info).map) dict.set(key, value);
  return dict;
}
