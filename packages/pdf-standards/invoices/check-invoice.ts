import { readInvoice, unreadableInvoice, type ReadInvoice } from '@platen/einvoice';
import { profileOf, profileRules, type InvoiceProfile } from '@platen/einvoice/profiles';
import { extractAttachments } from '@platen/pdf';
import { InputFault, PdfDocument } from '@platen/pdf/objects';
import type { Violation } from '../violation.ts';
import { decodeXml, type DecodedXml } from '@platen/einvoice';
import { invoiceNames } from './invoice-file.ts';

/** The embedded invoice of a document. */
export interface EmbeddedInvoice extends ReadInvoice {
  fileName: string;
  xml: string;
}

/** Reads and checks the embedded invoice of a document; `undefined` if it has none. */
export function readEmbeddedInvoice(document: PdfDocument): EmbeddedInvoice | undefined {
  const [fileName] = invoiceNames(document);
  if (fileName === undefined) return undefined;
  const { text: xml, fault } = readAttachment(document, fileName);
  return { fileName, xml, ...(fault === undefined ? readInvoice(xml) : unreadableInvoice(fault)) };
}

function readAttachment(document: PdfDocument, name: string): DecodedXml {
  try {
    const [file] = extractAttachments(document, [name], 'pdf');
    return decodeXml(file?.data ?? new Uint8Array());
  } catch (error) {
    if (error instanceof InputFault) return { text: '', fault: error.message };
    throw error;
  }
}

/** Returns why the embedded invoice of a file cannot be checked, or `undefined` if it can be. */
export function uncheckableInvoice(pdf: Uint8Array): string | undefined {
  return readEmbeddedInvoice(PdfDocument.open(pdf))?.message;
}

/**
 * Checks that a file has an embedded invoice, and that the invoice obeys the rules of a profile. Does not
 * validate against the XML schema.
 */
export function checkEmbeddedInvoice(pdf: Uint8Array, profile: InvoiceProfile): Violation[] {
  const invoice = readEmbeddedInvoice(PdfDocument.open(pdf));
  const { fileName, specification } = profileRules(profile);
  if (!invoice) return [{ clause: 'BR-01', message: 'the file has no embedded invoice' }];
  if (invoice.fileName !== fileName)
    return [{ clause: 'BR-01', message: `the embedded invoice is not named ${fileName}` }];
  if (profileOf(invoice.specification ?? '') !== profile)
    return [{ clause: 'BR-01', message: `the specification identifier is not ${specification}` }];
  return invoice.findings.map(({ rule, message, path }) => ({
    clause: rule,
    message: `${message}: ${path}`,
  }));
}
