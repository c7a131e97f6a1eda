import { readXmp, type PdfDocument } from '../objects/index.ts';
import { parseXml, type XmlElement } from '@platen/xml';

/** The namespace of RDF. */
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** Larger XMP metadata is not parsed. */
const MAX_CHARACTERS = 4_000_000;

/** Returns the text of the XMP metadata of a document, or `undefined` if it has none. */
export function readXmpText(document: PdfDocument): string | undefined {
  return readXmp(document)
    ?.replace(/^\ufeff/, '')
    .trim();
}

/**
 * Returns the `rdf:RDF` element of XMP metadata, or `undefined` if the text is too long, not well-formed or
 * not XMP.
 */
export function parseRdf(text: string): XmlElement | undefined {
  const root = text.length > MAX_CHARACTERS ? undefined : parseXml(text);
  return root?.name === `${RDF} RDF` ? root : root?.children.find(({ name }) => name === `${RDF} RDF`);
}
