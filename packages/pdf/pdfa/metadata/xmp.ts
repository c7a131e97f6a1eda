import { Dict, name, PdfStream } from '../../objects/index.ts';
import type { DocumentInfo } from './document-info.ts';

const NAMESPACES = {
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
};

/**
 * Builds the metadata stream of a PDF/A-1b document: its PDF/A identification and the properties of the information dictionary
 * (ISO 19005-1 6.7). The stream is not compressed, so tools that do not parse PDF can find it.
 */
export function buildXmp(info: DocumentInfo): PdfStream {
  const { title, author, subject, keywords, creator, producer, createdAt, modifiedAt } = info;
  const properties = [
    '<pdfaid:part>1</pdfaid:part>',
    '<pdfaid:conformance>B</pdfaid:conformance>',
    title && inLanguage('dc:title', title),
    author && `<dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>`,
    subject && inLanguage('dc:description', subject),
    simple('pdf:Keywords', keywords),
    simple('pdf:Producer', producer),
    simple('xmp:CreatorTool', creator),
    simple('xmp:CreateDate', createdAt === undefined ? undefined : xmpDate(createdAt)),
    simple('xmp:ModifyDate', xmpDate(modifiedAt)),
    simple('xmp:MetadataDate', xmpDate(modifiedAt)),
  ].filter((property) => property !== undefined && property !== '');
  const prefixes = Object.entries(NAMESPACES).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  const packet = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""${prefixes.join('')}>
${properties.join('\n')}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
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
