/**
 * Electronic invoices: checks data by the rules of EN 16931, and writes and reads CII and UBL. It handles
 * untrusted data, so load it in a process that can run out of time or memory without harm to others.
 * @module
 */
export type { Finding } from './findings.ts';
export { ruleIds } from './rules/check.ts';
export { isPlain } from './plain/plain-invoice.ts';
export {
  readInvoice,
  unreadableInvoice,
  writeInvoice,
  type ReadInvoice,
  type WrittenInvoice,
} from './invoice.ts';
export {
  INVOICE_PROFILES,
  profileOf,
  profileRules,
  type InvoiceProfile,
  type InvoiceSyntax,
  type ProfileRules,
} from './profiles.ts';
export { decodeXml, type DecodedXml } from './xml/decode.ts';
