import {
  forField,
  InputFault,
  openInput,
  openReadable,
  readInfo,
  toAsyncResult,
  toResult,
  comparePrints,
  type PdfSource,
  type PrintComparison,
  type Result,
} from '@platen/pdf';

/** The version in the name of the library with which Chromium writes PDFs. */
const SKIA = /^Skia\/PDF m([0-9]{1,5})/;

/** Facts about a PDF whose pages are accepted. */
interface AcceptedFacts {
  pdf: Uint8Array;
  pages: number;
  chromium: string | null;
}

/** Reads a PDF whose pages are to be accepted, and returns its bytes. */
export function readAccepted({ pdf, maxPages }: { pdf: PdfSource; maxPages: number }): Result<AcceptedFacts> {
  return toResult(() => {
    const document = openInput(pdf, 'accepted');
    const { bytes } = document;
    const { pages, producer, encrypted } = forField('accepted', () => readInfo(document, document.sizeBytes));
    if (encrypted) throw new InputFault('accepted', 'is encrypted: send it without protection');
    if (pages > maxPages)
      throw new InputFault('accepted', `has ${pages} pages; a case has at most ${maxPages}`);
    return { pdf: bytes, pages, chromium: chromiumOf(producer) };
  });
}

/** Reads the major version of the Chromium that printed a PDF; `null` if another program made it. */
export function readChromium({ pdf }: { pdf: Uint8Array }): Result<string | null> {
  return toResult(() => {
    const document = openInput({ raw: pdf }, 'pdf');
    return chromiumOf(forField('pdf', () => readInfo(document, document.sizeBytes)).producer);
  });
}

function chromiumOf(producer: string): string | null {
  return SKIA.exec(producer)?.[1] ?? null;
}

/** Compares the pages of a case with the accepted ones, and draws images of them. */
export function compare({
  pdf,
  accepted,
  maxImages,
}: {
  pdf: Uint8Array;
  /** Absent for a new case. */
  accepted: Uint8Array | undefined;
  maxImages: number;
}): Promise<Result<PrintComparison>> {
  return toAsyncResult('pdf', async () => {
    using printed = await openReadable({ raw: pdf }, 'pdf');
    using expected = accepted && (await openReadable({ raw: accepted }, 'accepted'));
    // Awaited here, because `using` closes the documents on return.
    return await comparePrints(printed, expected, { maxImages });
  });
}
