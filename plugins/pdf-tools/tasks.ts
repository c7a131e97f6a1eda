import {
  decodeInput,
  forField,
  InputFault,
  mergeDocuments,
  openInput,
  readInfo,
  readMember,
  readSource,
  stampPage,
  toResult,
  writePart,
  type Base64Pdf,
  type ConversionRequest,
  type Member,
  type PdfInfo,
  type Result,
  type StampRequest,
} from '@platen/pdf';
import { readRanges } from './operations/split/ranges.ts';
import { convert } from '@platen/pdf/pdfa-task';

// What runs in the tool process. PDFs come as the caller sent them, in base64, and go as bytes.

/** Says what is known about a PDF. */
export function info({ pdf }: { pdf: Base64Pdf }): Result<PdfInfo> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => readInfo(document, document.sizeBytes));
  });
}

/** Joins PDFs in order. */
export function merge({ pdfs }: { pdfs: Base64Pdf[] }): Result<Uint8Array> {
  return toResult(() => {
    const members: Member[] = [];
    let pages = 0;
    for (const [index, pdf] of pdfs.entries()) {
      const field = `pdfs[${index}]`;
      const document = openInput(pdf, field);
      const member = forField(field, () => readMember(document, index, pages));
      // The text is not needed any more, and may be as large as everything else together.
      pdfs[index] = '';
      pages += member.pages.length;
      members.push(member);
    }
    return forField('pdfs', () => mergeDocuments(members));
  });
}

/** What all parts of a split may have together: parts that overlap, or share much, can be many times the size of the whole. */
const MAX_PARTS_BYTES = 128_000_000;

/** Makes a document of each range of pages, or of each page. */
export function split({
  pdf,
  ranges,
}: {
  pdf: Base64Pdf;
  ranges: unknown[][] | undefined;
}): Result<Uint8Array[]> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const source = readSource(document);
      let sizeBytes = 0;
      return readRanges(ranges, source.pages.length).map((range) => {
        const part = writePart(source, range);
        sizeBytes += part.length;
        if (sizeBytes > MAX_PARTS_BYTES)
          throw new InputFault(
            'ranges',
            `make parts of more than ${MAX_PARTS_BYTES} bytes together; ask for fewer at once`,
          );
        return part;
      });
    });
  });
}

/** Puts a stamp, whose face is drawn already, on a page. */
export function sign({ pdf, ...request }: StampRequest & { pdf: Base64Pdf }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => stampPage(document, request));
  });
}

/** Converts a PDF to PDF/A-1b. */
export async function archive({
  pdf,
  ...request
}: ConversionRequest & { pdf: Base64Pdf }): Promise<Result<Uint8Array>> {
  const bytes = toResult(() => decodeInput(pdf, 'pdf'));
  if (!bytes.ok) return bytes;
  const result = await convert({ pdf: bytes.value, ...request });
  return result.ok || result.code !== 'SIGNED'
    ? result
    : { ...result, message: `${result.message}; send allow_signature_loss: true to convert it all the same` };
}

/** Converts a PDF of the service's own, which comes as it is. */
export function archivePrinted({ pdf }: { pdf: Uint8Array }): Promise<Result<Uint8Array>> {
  return convert({ pdf });
}
