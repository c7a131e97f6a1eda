import {
  answer,
  answerLater,
  decodeInput,
  forField,
  InputFault,
  openInput,
  PdfError,
  type SentPdf,
} from '../../src/pdf/pdf.ts';
import type { TaskResult } from '../../src/plugin.ts';
import { convertToArchive, SignatureLoss, type ConversionRequest } from './archive/convert.ts';
import { NotArchivable, type Violation } from './archive/violation.ts';
import { readInfo, type PdfInfo } from './info/read-info.ts';
import { readMember, type Member } from './merge/member.ts';
import { mergeDocuments } from './merge/merge.ts';
import { stampPage, type StampRequest } from './sign/stamp.ts';
import { readRanges } from './split/ranges.ts';
import { readSource } from './split/source.ts';
import { writePart } from './split/split.ts';

// What runs in the tool process. PDFs come as the caller sent them, in base64, and go as bytes.

/** Says what is known about a PDF. */
export function info({ pdf }: { pdf: SentPdf }): TaskResult<PdfInfo> {
  return answer(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => readInfo(document, document.sizeBytes));
  });
}

/** Joins PDFs in order. */
export function merge({ pdfs }: { pdfs: SentPdf[] }): TaskResult<Uint8Array> {
  return answer(() => {
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
  pdf: SentPdf;
  ranges: unknown[][] | undefined;
}): TaskResult<Uint8Array[]> {
  return answer(() => {
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
export function sign({ pdf, ...request }: StampRequest & { pdf: SentPdf }): TaskResult<Uint8Array> {
  return answer(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => stampPage(document, request));
  });
}

/** What came of a conversion to PDF/A-1b: the file, or why it cannot be one. */
export type Archived = { pdf: Uint8Array } | { violations: readonly Violation[] };

/** Converts a PDF to PDF/A-1b. */
export function archive({
  pdf,
  ...request
}: ConversionRequest & { pdf: SentPdf }): Promise<TaskResult<Archived>> {
  return answerLater(async () => convert(decodeInput(pdf, 'pdf'), request));
}

/** Converts a PDF of the service's own, which comes as it is. */
export function archivePrinted({ pdf }: { pdf: Uint8Array }): Promise<TaskResult<Archived>> {
  return answerLater(() => convert(pdf, {}));
}

async function convert(pdf: Uint8Array, request: ConversionRequest): Promise<Archived> {
  try {
    return { pdf: await convertToArchive(pdf, request) };
  } catch (error) {
    if (error instanceof NotArchivable) return { violations: error.violations };
    if (error instanceof SignatureLoss) throw new InputFault('pdf', error.message);
    if (error instanceof PdfError) throw new InputFault('pdf', error.message);
    throw error;
  }
}
