import { readXmp, type PdfDocument } from '../objects/index.ts';
import { parseXml, type XmlElement } from '../pdfa/check/xml.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** Larger metadata is not parsed. */
const MAX_CHARACTERS = 4_000_000;

/** Reads the XMP properties with a simple value, by `uri name`. Returns `undefined` if the metadata is not well-formed. */
export function readSimpleProperties(document: PdfDocument): Map<string, string> | undefined {
  const properties = new Map<string, string>();
  const text = readXmp(document)
    ?.replace(/^\ufeff/, '')
    .trim();
  if (text === undefined) return properties;
  const root = text.length > MAX_CHARACTERS ? undefined : parseXml(text);
  const rdf = root && findRdf(root);
  if (!rdf) return undefined;
  for (const { attributes, children } of rdf.children) {
    for (const [name, value] of attributes) properties.set(name, value);
    for (const { name, text: value } of children) properties.set(name, value);
  }
  return properties;
}

function findRdf(root: XmlElement): XmlElement | undefined {
  return root.name === `${RDF} RDF` ? root : root.children.find(({ name }) => name === `${RDF} RDF`);
}
