import { writeInvoice, type Finding, type InvoiceProfile, type InvoiceSyntax } from '@platen/pdf/invoice';
import {
  decodeInput,
  forField,
  openInput,
  PdfDocument,
  readEmbeddedInvoice,
  readPages,
  toResult,
  type BrowserText,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { convert, type ConvertedPdf } from '@platen/pdf/pdfa-task';

/** Completes and checks an invoice, and writes it. `data` is the JSON text of an object. */
export function write({
  profile,
  data,
  syntax,
}: {
  profile: InvoiceProfile;
  data: Uint8Array;
  syntax: InvoiceSyntax;
}): { xml: Uint8Array; findings?: undefined } | { findings: [Finding, ...Finding[]] } {
  const written = writeInvoice(JSON.parse(Buffer.from(data).toString('utf8')), { profile, syntax });
  return written.findings ? { findings: written.findings } : { xml: written.xml };
}

/** Converts a PDF to PDF/A-3b with an invoice, or returns the texts of fields that the browser must draw first. */
export async function embed({
  pdf,
  xml,
  profile,
  drawn,
}: {
  pdf: PdfSource;
  xml: Uint8Array;
  profile: InvoiceProfile;
  drawn: readonly Uint8Array[] | undefined;
}): Promise<Result<(ConvertedPdf & { pages: number }) | { toDraw: BrowserText[] }>> {
  const bytes = toResult(() => decodeInput(pdf, 'pdf'));
  if (!bytes.ok) return bytes;
  const result = await convert({ pdf: bytes.value, level: '3b', invoice: { xml, profile }, drawn });
  if (!result.ok)
    return result.code === 'SIGNED'
      ? { ...result, message: `${result.message}. Add the invoice first, then sign` }
      : result;
  const { value } = result;
  if ('toDraw' in value) return { ok: true, value };
  return { ok: true, value: { ...value, pages: readPages(PdfDocument.open(value.pdf)).pages.length } };
}

/** Reads and checks the embedded invoice of a PDF. Returns the JSON text of the response. */
export function read({ pdf }: { pdf: PdfSource }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => Buffer.from(JSON.stringify(describeInvoice(document))));
  });
}

function describeInvoice(document: PdfDocument): object {
  const invoice = readEmbeddedInvoice(document);
  if (!invoice)
    return { found: false, profile: null, file_name: null, xml: null, data: null, valid: null, findings: [] };
  const { profile, fileName, xml, data, findings } = invoice;
  return { found: true, profile, file_name: fileName, xml, data, valid: findings.length === 0, findings };
}
