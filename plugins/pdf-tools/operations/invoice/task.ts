import {
  decodeXml,
  profileRules,
  readInvoice,
  unreadableInvoice,
  writeInvoice,
  type Finding,
  type InvoiceProfile,
  type InvoiceSyntax,
} from '@platen/einvoice';
import { decodeBase64 } from '@platen/pdf/base64';
import {
  decodeInput,
  forField,
  openInput,
  PdfDocument,
  readPages,
  toResult,
  type BrowserText,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { readEmbeddedInvoice, type InvoiceFile } from '@platen/pdf-standards';
import { convert, type ConvertedPdf } from '@platen/pdf-standards/pdfa-task';

/** The largest XML of an invoice. Escaped characters can make it several times as large as the data. */
const MAX_XML_BYTES = 30_000_000;

/**
 * Completes, checks and writes an invoice. `data` is the JSON text of an object. With `document`, `written`
 * is the JSON of the response; otherwise, it is the XML.
 */
export function write({
  profile,
  data,
  syntax,
  document,
}: {
  profile: InvoiceProfile;
  data: Uint8Array;
  syntax: InvoiceSyntax;
  document?: string | undefined;
}): { written: Uint8Array; findings?: undefined } | { findings: [Finding, ...Finding[]] } {
  const { findings, xml } = writeInvoice(JSON.parse(Buffer.from(data).toString('utf8')), { profile, syntax });
  if (findings) return { findings };
  if (xml.length > MAX_XML_BYTES) {
    const message = `must make an XML file of at most ${MAX_XML_BYTES} bytes (it has ${xml.length})`;
    return { findings: [{ rule: 'FORMAT', path: '', message }] };
  }
  if (document === undefined) return { written: xml };
  const text = Buffer.from(xml).toString('utf8');
  return { written: Buffer.from(JSON.stringify({ profile, document, xml: text })) };
}

/**
 * Decodes a finished invoice, and checks that it obeys the rules of its profile unless `isUnchecked` is set.
 */
export function readFinished({
  xml: source,
  profile,
  isUnchecked,
}: {
  xml: PdfSource;
  profile: InvoiceProfile;
  isUnchecked: boolean;
}): { written: Uint8Array; findings?: undefined } | { findings: [Finding, ...Finding[]] } {
  const xml = decodeFile(source);
  if (!xml) return { findings: [{ rule: 'FORMAT', path: '', message: 'is not valid base64' }] };
  if (xml.length === 0 || xml.length > MAX_XML_BYTES) {
    const message = `must be an XML file of 1 to ${MAX_XML_BYTES} bytes (it has ${xml.length})`;
    return { findings: [{ rule: 'FORMAT', path: '', message }] };
  }
  if (isUnchecked) return { written: xml };
  const [first, ...others] = faultsOf(xml, profile);
  return first ? { findings: [first, ...others] } : { written: xml };
}

function faultsOf(xml: Uint8Array, profile: InvoiceProfile): Finding[] {
  const { text, fault } = decodeXml(xml);
  const invoice = fault === undefined ? readInvoice(text) : unreadableInvoice(fault);
  if (invoice.findings.length > 0) return invoice.findings;
  const format = (message: string): Finding[] => [{ rule: 'FORMAT', path: '', message }];
  if (invoice.syntax === 'ubl') return format('must be in CII; UBL cannot be embedded in a PDF');
  if (invoice.valid === null) return format(invoice.message ?? 'cannot be checked');
  const { specification } = profileRules(profile);
  return invoice.profile === profile ? [] : format(`must have the specification identifier ${specification}`);
}

function decodeFile(source: PdfSource): Uint8Array | undefined {
  if (typeof source === 'object' && 'raw' in source) return source.raw;
  return decodeBase64(
    typeof source === 'string'
      ? Buffer.from(source, 'latin1')
      : Buffer.from(source.buffer, source.byteOffset, source.length),
  );
}

/**
 * Converts a PDF to PDF/A-3b with an invoice, or returns the texts of fields that the browser must draw
 * first.
 */
export async function embed({
  pdf,
  invoice,
  drawn,
}: {
  pdf: PdfSource;
  invoice: InvoiceFile;
  drawn: readonly Uint8Array[] | undefined;
}): Promise<Result<(ConvertedPdf & { pages: number }) | { toDraw: BrowserText[] }>> {
  const bytes = toResult(() => decodeInput(pdf, 'pdf'));
  if (!bytes.ok) return bytes;
  const result = await convert({ pdf: bytes.value, level: '3b', invoice, drawn });
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
  const { profile, fileName, xml, data, valid, message, findings } = invoice;
  return { found: true, profile, file_name: fileName, xml, data, valid, message, findings };
}
