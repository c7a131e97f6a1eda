import { profileRules, type InvoiceProfile } from '@platen/einvoice/profiles';
import { addAttachments, listAttachments, removeAttachments } from '@platen/pdf';
import { PdfDocument, PdfError } from '@platen/pdf/objects';
import { unlockDocument } from '@platen/pdf';

/** The XML of an invoice, to be embedded in a PDF (Factur-X 1.0, ZUGFeRD 2). */
export interface InvoiceFile {
  xml: Uint8Array;
  profile: InvoiceProfile;
  /** Whether the rules of the profile are not checked, so that the document may not conform to it. */
  isUnchecked?: boolean | undefined;
  /** The type of the document in XMP; INVOICE when absent. */
  documentType?: 'INVOICE' | 'ORDER' | 'ORDER_RESPONSE' | 'ORDER_CHANGE' | undefined;
  /** The version of the standard in XMP, which contains no characters that need escaping. */
  version?: string | undefined;
}

/**
 * The file names of embedded invoices in Factur-X, XRechnung, ZUGFeRD 2.0 and ZUGFeRD 1.0. If a document has
 * several such files, the first in this order is its invoice.
 */
const NAMES = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml', 'ZUGFeRD-invoice.xml'] as const;

/**
 * Attaches an invoice to a document, replacing every invoice that the document already has. The result is not
 * encrypted, because it becomes a PDF/A; the permissions of the document no longer apply.
 */
export function attachInvoice(document: PdfDocument, { xml, profile }: InvoiceFile): Uint8Array {
  const { fileName, isComplete } = profileRules(profile);
  const unlocked = document.encrypted ? PdfDocument.open(unlockDocument(document)) : document;
  const old = invoiceNames(unlocked);
  const cleaned = old.length > 0 ? PdfDocument.open(removeAttachments(unlocked, old, 'pdf')) : unlocked;
  const attachment = {
    name: fileName,
    data: Buffer.from(xml.buffer, xml.byteOffset, xml.length).toString('base64'),
    mimeType: 'text/xml',
    description: 'The invoice as data',
    relationship: isComplete ? ('alternative' as const) : ('data' as const),
  };
  return addAttachments(cleaned, [attachment], { field: 'pdf', now: Date.now() });
}

/** Returns the names of the embedded invoices of a document. */
export function invoiceNames(document: PdfDocument): string[] {
  const names = new Set(listAttachments(document).map(({ name }) => name));
  return NAMES.filter((name) => names.has(name));
}

/** Tells whether a document has an embedded invoice. Returns false if its attachments cannot be listed. */
export function hasInvoice(document: PdfDocument): boolean {
  try {
    return invoiceNames(document).length > 0;
  } catch (error) {
    if (error instanceof PdfError) return false;
    throw error;
  }
}
