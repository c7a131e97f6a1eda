import type { PdfDocument } from '../objects/index.ts';
import { parseRdf, readXmpText } from './rdf.ts';

/**
 * Reads the XMP properties with a simple value. The keys are the namespace and the local name, separated by a
 * space. Returns `undefined` if the metadata cannot be parsed.
 */
export function readSimpleProperties(document: PdfDocument): Map<string, string> | undefined {
  const properties = new Map<string, string>();
  const text = readXmpText(document);
  if (text === undefined) return properties;
  const rdf = parseRdf(text);
  if (!rdf) return undefined;
  for (const { attributes, children } of rdf.children) {
    for (const [name, value] of attributes) properties.set(name, value);
    for (const { name, text: value } of children) properties.set(name, value);
  }
  return properties;
}
