import { Dict, name, PdfStream } from '../objects/index.ts';
import type { DocumentInfo } from './document-info.ts';

const NAMESPACES = {
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
};

/** The level of PDF/A that metadata claims. */
export interface PdfaIdentification {
  /** The part of ISO 19005. */
  part: number;
  conformance: string;
}

/**
 * Builds the XMP packet of a PDF/A document: its PDF/A identification and the properties of the information
 * dictionary (ISO 19005-1 6.7).
 * @param more further descriptions of the document, as XML
 */
export function buildXmp(
  info: DocumentInfo,
  { part, conformance }: PdfaIdentification,
  more: readonly string[] = [],
): string {
  const claim = [
    `<pdfaid:part>${part}</pdfaid:part>`,
    `<pdfaid:conformance>${conformance}</pdfaid:conformance>`,
  ];
  const { keywords, language } = info;
  const lists = [
    ...(keywords === undefined ? [] : [listElement('dc:subject', 'Bag', splitKeywords(keywords))]),
    ...(language === undefined ? [] : [listElement('dc:language', 'Bag', [language])]),
  ];
  return packetOf([...claim, ...xmpProperties(info).values(), ...lists], more);
}

/** Splits the keywords of the information dictionary, which are one string, into a list for Dublin Core. */
function splitKeywords(keywords: string): string[] {
  return keywords
    .split(/[,;]/)
    .map((keyword) => keyword.trim())
    .filter((keyword) => keyword !== '');
}

/** Returns the XMP elements of the given properties of a document, by property name. */
export function xmpProperties(info: DocumentInfo): Map<string, string> {
  const { title, author, subject, keywords, creator, producer, createdAt, modifiedAt } = info;
  const written: [string, string | undefined][] = [
    ['dc:title', title && inLanguage('dc:title', title)],
    ['dc:creator', author && listElement('dc:creator', 'Seq', [author])],
    ['dc:description', subject && inLanguage('dc:description', subject)],
    ['pdf:Keywords', simple('pdf:Keywords', keywords)],
    ['pdf:Producer', simple('pdf:Producer', producer)],
    ['xmp:CreatorTool', simple('xmp:CreatorTool', creator)],
    ['xmp:CreateDate', simple('xmp:CreateDate', createdAt === undefined ? undefined : xmpDate(createdAt))],
    ['xmp:ModifyDate', simple('xmp:ModifyDate', xmpDate(modifiedAt))],
    ['xmp:MetadataDate', simple('xmp:MetadataDate', xmpDate(modifiedAt))],
  ];
  return new Map(written.flatMap(([property, element]) => (element ? [[property, element] as const] : [])));
}

/** Writes a property whose value is a list. */
export function listElement(property: string, kind: 'Seq' | 'Bag', values: readonly string[]): string {
  const items = values.map((value) => `<rdf:li>${escapeXml(value)}</rdf:li>`);
  return `<${property}><rdf:${kind}>${items.join('')}</rdf:${kind}></${property}>`;
}

/**
 * Writes the elements of properties as a description. `about` is the URI of the document; usually it is
 * empty.
 */
export function descriptionOf(properties: readonly string[], about = ''): string {
  const prefixes = Object.entries(NAMESPACES).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return `<rdf:Description rdf:about="${about}"${prefixes.join('')}>
${properties.join('\n')}
</rdf:Description>`;
}

/** Writes an XMP packet with the elements of properties, and with further descriptions. */
export function packetOf(properties: readonly string[], more: readonly string[] = []): string {
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
${[descriptionOf(properties), ...more].join('\n')}
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}

/** Creates a metadata stream. It is not compressed, so that tools that do not parse PDF can find it. */
export function metadataStream(packet: string): PdfStream {
  return new PdfStream(Dict.of({ Type: name('Metadata'), Subtype: name('XML') }), Buffer.from(packet));
}

function simple(property: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `<${property}>${escapeXml(value)}</${property}>`;
}

/** Writes a property whose value is a text in the default language. */
function inLanguage(property: string, value: string): string {
  return `<${property}><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(value)}</rdf:li></rdf:Alt></${property}>`;
}

function xmpDate(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? '');
}
