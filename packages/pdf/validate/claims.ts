import { claimedPdfa, eachField, readXmp, type PdfDocument } from '../objects/index.ts';
import { parseXml, type XmlElement } from '../pdfa/check/xml.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const PDFA = 'http://www.aiim.org/pdfa/ns/id/';
const PDFUA = 'http://www.aiim.org/pdfua/ns/id/';
const FACTUR_X = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
/** The namespaces of ZUGFeRD before it had the same format as Factur-X, by version. */
const ZUGFERD: ReadonlyMap<string, string> = new Map([
  ['urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#', 'zugferd-1'],
  ['urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#', 'zugferd-2'],
]);

/** Larger metadata is not parsed. */
const MAX_CHARACTERS = 4_000_000;
/** A file should claim a few profiles; metadata can repeat claims. */
const MAX_CLAIMS = 20;

/**
 * Returns the profiles that a file claims: in its XMP metadata `pdfa-2b` (ISO 19005), `pdfua-1` (ISO 14289), `factur-x-en16931` or
 * `zugferd-1-comfort`, and by its signatures `pades` (ETSI EN 319 142) or `signature` (ISO 32000-1 12.8). A claim may be false.
 */
export function readClaims(document: PdfDocument): string[] {
  return [...readMetadataClaims(document), ...readSignatureClaims(document)].slice(0, MAX_CLAIMS);
}

function readSignatureClaims({ catalog }: PdfDocument): Set<string> {
  const claims = new Set<string>();
  eachField(catalog.dict('AcroForm')?.array('Fields') ?? [], (field, type) => {
    const value = type === 'Sig' ? field.dict('V') : undefined;
    const format = value?.name('SubFilter') ?? '';
    if (value && format !== 'ETSI.RFC3161')
      claims.add(format === 'ETSI.CAdES.detached' ? 'pades' : 'signature');
  });
  return claims;
}

function readMetadataClaims(document: PdfDocument): string[] {
  const properties = readProperties(document);
  if (!properties) {
    // Other readers also find claims in metadata that is not well-formed.
    const pdfa = claimedPdfa(document);
    return pdfa === null ? [] : [`pdfa-${pdfa.toLowerCase()}`];
  }
  const claims = new Set<string>();
  const value = (uri: string, name: string) => wordOf(properties.get(`${uri} ${name}`) ?? '');
  const part = value(PDFA, 'part');
  if (part !== '') claims.add(`pdfa-${part}${value(PDFA, 'conformance')}`);
  const ua = value(PDFUA, 'part');
  if (ua !== '') claims.add(`pdfua-${ua}`);
  for (const [uri, name] of [[FACTUR_X, 'factur-x'] as const, ...ZUGFERD]) {
    const level = value(uri, 'ConformanceLevel');
    // EN 16931 is one word in the names of profiles.
    if (level !== '') claims.add(`${name}-${level.replace(/^en-16931$/, 'en16931')}`);
  }
  return [...claims];
}

/** Converts the value of a claim to the form in names of profiles: lower case, with hyphens. Returns an empty string for other text. */
function wordOf(value: string): string {
  const word = value
    .trim()
    .toLowerCase()
    .replaceAll(/[ _-]+/g, '-');
  return /^[a-z0-9-]{1,30}$/.test(word) ? word : '';
}

/** Reads the simple properties of the metadata. Returns `undefined` if it is not well-formed. */
function readProperties(document: PdfDocument): Map<string, string> | undefined {
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
