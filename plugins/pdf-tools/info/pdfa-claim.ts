import { decodeStream, PdfStream, type PdfDocument } from '../../../src/pdf/pdf.ts';

const PART = /pdfaid:part(?:\s*=\s*["']|\s*>\s*)(\d)/;
const CONFORMANCE = /pdfaid:conformance(?:\s*=\s*["']|\s*>\s*)([A-Za-z])/;

/** Reads the part and level of PDF/A that a file's XMP claims, such as `1B` or `4`; null without a claim. */
export function claimedPdfa({ catalog, budget }: PdfDocument): string | null {
  const metadata = catalog.get('Metadata');
  if (!(metadata instanceof PdfStream)) return null;
  const bytes = decodeStream(metadata, budget);
  if (!bytes) return null;
  const text = new TextDecoder(
    bytes[0] === 0xfe ? 'utf-16be' : bytes[0] === 0xff ? 'utf-16le' : 'utf-8',
  ).decode(bytes);
  const part = PART.exec(text)?.[1];
  if (part === undefined) return null;
  return part + (CONFORMANCE.exec(text)?.[1]?.toUpperCase() ?? '');
}
