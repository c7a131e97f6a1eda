import type { PdfDocument } from '../objects/index.ts';
import type { XmlElement } from '@platen/xml';
import type { DocumentInfo } from './document-info.ts';
import { descriptionOf, listElement, packetOf, xmpProperties } from './xmp.ts';
import { parseRdf, RDF, readXmpText } from './rdf.ts';

/** The usual prefixes of the namespaces of document properties. Only packets that use them can be edited. */
const PREFIXES: Readonly<Record<string, string>> = {
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://ns.adobe.com/pdf/1.3/': 'pdf',
  'http://ns.adobe.com/xap/1.0/': 'xmp',
};

/** The properties in XMP metadata: lists of values, keyed by names such as `dc:title`. */
export type XmpValues = ReadonlyMap<string, readonly string[]>;

interface Packet {
  text: string;
  values: XmpValues;
  /** The `rdf:about` of the document. */
  about: string;
}

/** Reads the properties of XMP metadata. Ignores metadata that is not well-formed. */
export function readXmpValues(document: PdfDocument): XmpValues {
  return readPacket(document)?.values ?? new Map();
}

/** New values for the XMP metadata. */
export interface XmpChanges {
  info: DocumentInfo;
  keywords: readonly string[];
  language: string | undefined;
  /**
   * The names of the properties to replace. Other properties are added only if the metadata does not have
   * them.
   */
  replaced: ReadonlySet<string>;
}

/** Writes XMP metadata with new values, and keeps all other properties. */
export function writeXmp(document: PdfDocument, { info, keywords, language, replaced }: XmpChanges): string {
  const elements = xmpProperties(info);
  if (keywords.length > 0) elements.set('dc:subject', listElement('dc:subject', 'Bag', keywords));
  if (language !== undefined) elements.set('dc:language', listElement('dc:language', 'Bag', [language]));
  const packet = readPacket(document);
  const end = packet?.text.lastIndexOf('</rdf:RDF>') ?? -1;
  if (!packet || end < 0) return packetOf([...elements.values()]);
  const added = [...elements].filter(([name]) => replaced.has(name) || !packet.values.has(name));
  let kept = packet.text.slice(0, end);
  for (const name of replaced) kept = withoutProperty(kept, name);
  const description = descriptionOf(
    added.map(([, element]) => element),
    packet.about,
  );
  return `${kept}${description}\n${packet.text.slice(end)}`;
}

function readPacket(document: PdfDocument): Packet | undefined {
  const text = readXmpText(document);
  const rdf = text === undefined ? undefined : parseRdf(text);
  if (text === undefined || !rdf) return undefined;
  const values = new Map<string, string[]>();
  let about = '';
  for (const description of rdf.children) {
    about = description.attributes.get(`${RDF} about`) ?? about;
    for (const [name, value] of description.attributes) {
      const known = prefixed(name);
      if (known !== undefined) values.set(known, [value]);
    }
    for (const property of description.children) {
      const known = prefixed(property.name);
      if (known !== undefined) {
        if (property.prefix !== known.split(':')[0]) return undefined;
        values.set(known, valuesOf(property));
      }
    }
  }
  return { text, values, about: /^[^"<&]*$/.test(about) ? about : '' };
}

function prefixed(name: string): string | undefined {
  const [uri = '', local = ''] = name.split(' ');
  const prefix = PREFIXES[uri];
  return prefix === undefined ? undefined : `${prefix}:${local}`;
}

function valuesOf(property: XmlElement): string[] {
  const [list] = property.children;
  if (!list) return [property.text.trim()];
  const items = list.children.filter(({ name }) => name === `${RDF} li`);
  const standard = items.find(({ attributes }) => attributes.get('xml lang') === 'x-default');
  return list.name === `${RDF} Alt` && standard ? [standard.text] : items.map(({ text }) => text);
}

const ATTRIBUTE = /\s([a-z]+:[A-Za-z]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

/** Removes the elements and attributes of a property from XMP. */
function withoutProperty(text: string, name: string): string {
  const open = `<${name}`;
  const close = `</${name}>`;
  const [first = '', ...rest] = text
    .replaceAll(ATTRIBUTE, (attribute, attributeName) => (attributeName === name ? '' : attribute))
    .split(open);
  let kept = first;
  for (const part of rest) {
    const tag = part.indexOf('>');
    const isEmpty = part[tag - 1] === '/';
    const end = isEmpty ? tag : part.indexOf(close);
    // The name can be the beginning of a longer one, or text in a comment.
    if (!/^[\s/>]/.test(part) || end < 0) kept += open + part;
    else kept += part.slice(end + (isEmpty ? 1 : close.length));
  }
  return kept;
}
