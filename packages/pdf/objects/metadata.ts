import type { PdfDocument } from './document.ts';
import { decodeStream } from './filters.ts';
import { Dict, name, PdfStream, Ref } from './objects.ts';

const PART = /pdfaid:part(?:\s*=\s*["']|\s*>\s*)(\d)/;
const CONFORMANCE = /pdfaid:conformance(?:\s*=\s*["']|\s*>\s*)([A-Za-z])/;
const CLAIM_ATTRIBUTES = /\s(?:pdfaid|pdfuaid):\w+\s*=\s*(?:"[^"]*"|'[^']*')/g;
const CLAIM_ELEMENTS = /<(?:pdfaid|pdfuaid):\w+\s*>[^<]*<\/(?:pdfaid|pdfuaid):\w+\s*>/g;
const PDFA_CLAIM = /^[\s<]pdfaid:/;

/** A standard that a file can claim in its XMP metadata. */
export type ClaimedStandard = 'PDF/A' | 'PDF/UA';

/**
 * Returns the PDF/A part and conformance level that the file's XMP metadata claims, such as `1B` or `4`, or
 * null.
 */
export function claimedPdfa(document: PdfDocument): string | null {
  const text = readXmp(document) ?? '';
  const part = PART.exec(text)?.[1];
  if (part === undefined) return null;
  return part + (CONFORMANCE.exec(text)?.[1]?.toUpperCase() ?? '');
}

/**
 * Copies the XMP metadata without its PDF/A and PDF/UA claims, which may not hold for a new file.
 * @param keeps the standard whose claim still holds
 */
export function metadataWithoutClaims(
  document: PdfDocument,
  { keeps }: { keeps?: ClaimedStandard | undefined } = {},
): Ref | undefined {
  const text = readXmp(document);
  if (text === undefined) return undefined;
  const dict = Dict.of({ Type: name('Metadata'), Subtype: name('XML') });
  const withoutClaim = (claim: string) =>
    keeps === (PDFA_CLAIM.test(claim) ? 'PDF/A' : 'PDF/UA') ? claim : '';
  const kept = text.replaceAll(CLAIM_ATTRIBUTES, withoutClaim).replaceAll(CLAIM_ELEMENTS, withoutClaim);
  return Ref.to(new PdfStream(dict, Buffer.from(kept)));
}

/** Returns the XMP metadata of the document; `undefined` if it has none that can be read. */
export function readXmp({ catalog, budget }: PdfDocument): string | undefined {
  const metadata = catalog.get('Metadata');
  if (!(metadata instanceof PdfStream)) return undefined;
  const bytes = decodeStream(metadata, budget);
  if (!bytes) return undefined;
  const [first] = bytes;
  const encoding = first === 0xfe ? 'utf-16be' : first === 0xff ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** Returns a reference to the document information dictionary. */
export function informationOf({ trailer }: PdfDocument): Ref | undefined {
  const info = trailer.raw('Info');
  if (info instanceof Ref) return info;
  return info instanceof Dict ? Ref.to(info) : undefined;
}
