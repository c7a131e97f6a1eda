import {
  compareDocuments,
  InputFault,
  openReadable,
  toAsyncResult,
  type ComparisonRequest,
  type PageComparison,
  type PdfSource,
  type Result,
} from '@platen/pdf';

/** Compares the pages of two PDFs. */
export function compare({
  pdfs: [a, b],
  ...request
}: ComparisonRequest & { pdfs: readonly PdfSource[] }): Promise<Result<PageComparison[]>> {
  return toAsyncResult('pdfs', async () => {
    if (a === undefined || b === undefined) throw new Error('a comparison needs two PDFs');
    using first = await open(a, 'pdfs[0]');
    using second = await open(b, 'pdfs[1]');
    // Awaited here, because `using` closes the documents on return.
    return await compareDocuments([first, second], request);
  });
}

async function open(pdf: PdfSource, field: string): ReturnType<typeof openReadable> {
  const opened = await toAsyncResult(field, () => openReadable(pdf, field));
  if (!opened.ok) throw new InputFault(field, opened.message);
  return opened.value;
}
