import { readInvoice, type ReadInvoice } from '../invoice.ts';
import { profileRules, type InvoiceProfile } from '../profiles.ts';
import { extractAttachments } from '../../attachments/attachments.ts';
import { PdfDocument } from '../../objects/index.ts';
import type { Violation } from '../../pdfa/violation.ts';
import { invoiceNames } from './invoice-file.ts';

/** The embedded invoice of a document. */
export interface EmbeddedInvoice extends ReadInvoice {
  fileName: string;
  xml: string;
}

/** Reads and checks the embedded invoice of a document; `undefined` if it has none. */
export function readEmbeddedInvoice(document: PdfDocument): EmbeddedInvoice | undefined {
  const [name] = invoiceNames(document);
  const [file] = name === undefined ? [] : extractAttachments(document, [name], 'pdf');
  if (!file) return undefined;
  const xml = new TextDecoder().decode(file.data);
  return { fileName: file.name, xml, ...readInvoice(xml) };
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
