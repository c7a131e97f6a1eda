import { Dict, name, PdfStream } from '../../objects/index.ts';
import type { LevelRules } from '../levels.ts';
import type { DocumentInfo } from './document-info.ts';

const NAMESPACES = {
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
};

/**
 * Builds the metadata of a PDF/A document: its PDF/A identification and the properties of the information dictionary
 * (ISO 19005-1 6.7). `more` are further descriptions of the document.
 */
export function buildXmp(
  info: DocumentInfo,
  { part, conformance }: LevelRules,
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

/** Keywords are one string in the information dictionary and a list in Dublin Core. */
function splitKeywords(keywords: string): string[] {
  return keywords
    .split(/[,;]/)
    .map((keyword) => keyword.trim())
    .filter((keyword) => keyword !== '');
}

/** Returns the XMP elements of the properties of the information dictionary, by name. Absent properties have no element. */
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

/** Writes properties as a description of the document `about`. */
export function descriptionOf(properties: readonly string[], about = ''): string {
  const prefixes = Object.entries(NAMESPACES).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return `<rdf:Description rdf:about="${about}"${prefixes.join('')}>
${properties.join('\n')}
</rdf:Description>`;
}

/** Writes an XMP packet with properties, and with further descriptions. */
export function packetOf(properties: readonly string[], more: readonly string[] = []): string {
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
${[descriptionOf(properties), ...more].join('\n')}
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}

/** Makes a metadata stream. It is not compressed, so tools that do not parse PDF can find it. */
export function metadataStream(packet: string): PdfStream {
  return new PdfStream(Dict.of({ Type: name('Metadata'), Subtype: name('XML') }), Buffer.from(packet));
}

function simple(property: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `<${property}>${escapeXml(value)}</${property}>`;
}

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
