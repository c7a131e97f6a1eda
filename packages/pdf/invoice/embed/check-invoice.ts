import { readInvoice, type ReadInvoice } from '../invoice.ts';
import { profileRules, type InvoiceProfile } from '../profiles.ts';
import { extractAttachments } from '../../attachments/attachments.ts';
import { InputFault, PdfDocument } from '../../objects/index.ts';
import type { Violation } from '../../pdfa/violation.ts';
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
  const xml = readAttachment(document, fileName);
  return { fileName, xml, ...readInvoice(xml) };
}

/** Returns the text of an attachment; an empty text if it is damaged or too large. */
function readAttachment(document: PdfDocument, name: string): string {
  try {
    const [file] = extractAttachments(document, [name], 'pdf');
    return new TextDecoder().decode(file?.data);
  } catch (error) {
    if (error instanceof InputFault) return '';
    throw error;
  }
}

/** Checks that a file has an embedded invoice of a profile that obeys the rules. The XML schema is not checked. */
export function checkEmbeddedInvoice(pdf: Uint8Array, profile: InvoiceProfile): Violation[] {
  const invoice = readEmbeddedInvoice(PdfDocument.open(pdf));
  const { fileName, specification } = profileRules(profile);
  if (!invoice) return [{ clause: 'BR-01', message: 'the file has no embedded invoice' }];
  if (invoice.fileName !== fileName)
    return [{ clause: 'BR-01', message: `the embedded invoice is not named ${fileName}` }];
  if (invoice.profile !== profile)
    return [{ clause: 'BR-01', message: `the specification identifier is not ${specification}` }];
  return invoice.findings.map(({ rule, message, path }) => ({
    clause: rule,
    message: `${message}: ${path}`,
  }));
}
