import { INVOICE_NAMESPACES } from '../invoices/invoice-properties.ts';
import { claimedPdfa, eachField, type PdfDocument } from '@platen/pdf/objects';
import { readSimpleProperties } from '@platen/pdf/properties';

const PDFA = 'http://www.aiim.org/pdfa/ns/id/';
const PDFUA = 'http://www.aiim.org/pdfua/ns/id/';
/** The maximum number of claims of a file. A valid file has only a few. */
const MAX_CLAIMS = 20;

/**
 * Returns the names of the profiles that a file claims. XMP metadata can claim profiles such as `pdfa-2b`
 * (ISO 19005), `pdfua-1` (ISO 14289), `factur-x-en16931` and `zugferd-1-comfort`. Signatures claim `pades`
 * (ETSI EN 319 142) or `signature` (ISO 32000-1 12.8). A claim may be false.
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
  const properties = readSimpleProperties(document);
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
  for (const { uri, name } of INVOICE_NAMESPACES) {
    const level = value(uri, 'ConformanceLevel');
    // EN 16931 is one word in the names of profiles.
    if (level !== '') claims.add(`${name}-${level === 'en-16931' ? 'en16931' : level}`);
  }
  return [...claims];
}

/**
 * Converts the value of a claim to lower case with hyphens, as in the names of profiles. Returns an empty
 * string for other text.
 */
function wordOf(value: string): string {
  const word = value
    .trim()
    .toLowerCase()
    .replaceAll(/[ _-]+/g, '-');
  return /^[a-z0-9-]{1,30}$/.test(word) ? word : '';
}
