import { decodeDate, decodeStream, decodeText, Dict, PdfStream } from '../../objects/index.ts';
import { readExtensionSchemas } from './extension-schemas.ts';
import { parseXml, type XmlElement } from './xml.ts';
import type { CheckContext, Findings } from './findings.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const DC = 'http://purl.org/dc/elements/1.1/';
const PDF = 'http://ns.adobe.com/pdf/1.3/';
const XMP = 'http://ns.adobe.com/xap/1.0/';
const XMP_RIGHTS = 'http://ns.adobe.com/xap/1.0/rights/';
const XMP_MM = 'http://ns.adobe.com/xap/1.0/mm/';
const PDFA_EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';
const PDFA_ID = 'http://www.aiim.org/pdfa/ns/id/';

/** The common properties of predefined schemas by namespace (XMP 2004). They need no extension schema. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  [DC]: 'contributor coverage creator date description format identifier language publisher relation rights source subject title type'.split(
    ' ',
  ),
  [PDF]: ['Keywords', 'PDFVersion', 'Producer'],
  [XMP]:
    'Advisory BaseURL CreateDate CreatorTool Identifier Label MetadataDate ModifyDate Nickname Rating Thumbnails'.split(
      ' ',
    ),
  [XMP_RIGHTS]: ['Certificate', 'Marked', 'Owner', 'UsageTerms', 'WebStatement'],
  [XMP_MM]:
    'DerivedFrom DocumentID History InstanceID ManagedFrom Manager ManageTo ManageUI ManagerVariant RenditionClass RenditionOf RenditionParams SaveID VersionID Versions'.split(
      ' ',
    ),
  [PDFA_ID]: ['part', 'conformance', 'amd'],
};

/** The kind of list of each predefined property whose value is a list (XMP 2004, chapter 4). */
const LISTS: ReadonlyMap<string, 'Alt' | 'Bag' | 'Seq'> = new Map([
  ...(['title', 'description', 'rights'] as const).map((name) => [`${DC} ${name}`, 'Alt'] as const),
  ...(['creator', 'date'] as const).map((name) => [`${DC} ${name}`, 'Seq'] as const),
  ...(['contributor', 'language', 'publisher', 'relation', 'subject', 'type'] as const).map(
    (name) => [`${DC} ${name}`, 'Bag'] as const,
  ),
]);
/** The predefined properties whose value is text. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['coverage', 'format', 'identifier', 'source'].map((name) => `${DC} ${name}`),
  ...['Keywords', 'PDFVersion', 'Producer'].map((name) => `${PDF} ${name}`),
  ...['CreateDate', 'CreatorTool', 'MetadataDate', 'ModifyDate'].map((name) => `${XMP} ${name}`),
  ...['part', 'conformance'].map((name) => `${PDFA_ID} ${name}`),
]);

/** The entries of the information dictionary, each with the XMP property that must have the same value (6.7.3). */
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

/**
 * Checks that the XMP metadata exists, claims the level, and has only known properties. In part 1, also checks that it agrees with the information
 * dictionary.
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
  const text = bytes ? new TextDecoder().decode(bytes) : '';
  const header = /<\?xpacket begin=[^?]*\?>/.exec(text)?.[0] ?? '';
  findings.expect(
    !/\sbytes\s*=/.test(header) && !/\sencoding\s*=/.test(header),
    'packets',
    'the XMP packet header has a bytes or encoding attribute',
  );
  const root = parseXml(text.replace(/^\ufeff/, '').trim());
  const properties = root && readProperties(root, findings);
  if (!properties) {
    findings.add('properties', 'the metadata is not well-formed XMP');
    return;
  }
  checkClaim(properties, findings);
  // Parts 2 and 3 do not require the information dictionary to agree.
  if (rules.part > 1) return;
  const info = document.trailer.dict('Info') ?? new Dict();
  for (const equal of EQUALS) checkEqual(info, equal, properties, findings);
}

/** Reads the properties of an RDF packet from the elements and attributes of its descriptions. */
function readProperties(root: XmlElement, findings: Findings): Map<string, string[]> | undefined {
  const rdf = root.name === `${RDF} RDF` ? root : root.children.find(({ name }) => name === `${RDF} RDF`);
  if (!rdf) return undefined;
  const properties = new Map<string, string[]>();
  const declared = readExtensionSchemas(rdf, findings);
  const add = (name: string, prefix: string, values: string[], list?: string) => {
    const [uri = '', local = ''] = name.split(' ');
    findings.expect(
      KNOWN[uri]?.includes(local) === true || uri === PDFA_EXTENSION || declared.has(name),
      'properties',
      `the metadata has the unknown property ${local.slice(0, 40)}`,
    );
    findings.expect(
      LISTS.has(name) ? list === `${RDF} ${LISTS.get(name)}` : !TEXTS.has(name) || list === undefined,
      'properties',
      `the metadata has the property ${local.slice(0, 40)} with a value of a wrong type`,
    );
    findings.expect(
      uri !== PDFA_ID || prefix === 'pdfaid',
      'identification',
      'the PDF/A identification does not use the namespace prefix pdfaid',
    );
    properties.set(name, values);
  };
  for (const description of rdf.children) {
    if (description.name !== `${RDF} Description`) return undefined;
    for (const [name, value] of description.attributes)
      if (!name.startsWith(`${RDF} `) && name !== 'xml lang') add(name, 'pdfaid', [value]);
    for (const property of description.children)
      add(property.name, property.prefix, valuesOf(property), property.children[0]?.name);
  }
  return properties;
}

function valuesOf(property: XmlElement): string[] {
  const [list] = property.children;
  if (!list) return [property.text];
  const items = list.children.filter(({ name }) => name === `${RDF} li`);
  const standard = items.find(({ attributes }) => attributes.get('xml lang') === 'x-default');
  return list.name === `${RDF} Alt` && standard ? [standard.text] : items.map(({ text }) => text);
}

function checkClaim(properties: ReadonlyMap<string, string[]>, findings: Findings): void {
  const part = properties.get(`${PDFA_ID} part`)?.[0]?.trim();
  const conformance = properties.get(`${PDFA_ID} conformance`)?.[0]?.trim() ?? '';
  const { rules } = findings;
  findings.expect(
    part === `${rules.part}` && rules.including.includes(conformance),
    'identification',
    `the metadata does not identify the document as ${rules.title}`,
  );
}

function checkEqual(
  info: Dict,
  [entry, property, kind]: (typeof EQUALS)[number],
  properties: ReadonlyMap<string, string[]>,
  findings: Findings,
): void {
  const string = info.string(entry);
  if (!string) return;
  const inInfo = decodeText(string);
  const values = properties.get(property) ?? [];
  const [value] = values;
  const equal = kind === 'text' ? value === inInfo : isSameTime(inInfo, value);
  findings.expect(
    values.length === 1 && equal,
    'information',
    `the metadata and the entry ${entry} of the information dictionary differ`,
  );
}

/** Tells whether a PDF date and an XMP date are the same point in time. */
function isSameTime(pdfDate: string, value: string | undefined): boolean {
  const date = decodeDate(pdfDate);
  return date !== null && value !== undefined && Date.parse(date) === Date.parse(value);
}
