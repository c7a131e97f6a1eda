/** The fields and options of requests that print, and the drawing of texts. Several plugins use them. */
export { AccessibleOption } from './accessible.ts';
export { runFormTask } from './draw-texts.ts';
export { documentFields } from './fields.ts';
export { attachmentSchemas, markSchemas, propertySchemas, type MarkPosition } from './finish.ts';
export { invoiceDetails } from './invoice-details.ts';
export { InvoiceData, InvoiceDocument, InvoiceProfileName } from './invoice.ts';
export { FormatName, GenerateOptions, HeaderFooter, WaitFor } from './options.ts';
export { findFormat, FORMAT_NAMES } from './paper-formats.ts';
export {
  INVOICE_LEVEL,
  levelOfOption,
  PdfaLevelName,
  whyNoAttachments,
  type PdfaLevel,
} from './pdfa-level.ts';
export { checkProtect, protectSchemas, requirePasswords, type ProtectionSetting } from './protect.ts';
export {
  checkSignature,
  MAX_SIDE_PT,
  SignatureLevel,
  SignatureOption,
  signatureSchemas,
  stampSchemas,
  type DocumentSigner,
  type SignatureSetting,
  type SignPdf,
} from './signature.ts';
export { escapeText, MAX_SNIPPET_BOXES, type SnippetBox } from './snippet-box.ts';
export { sourceFields, type SourceFields } from './source-fields.ts';
export { CATEGORIES, MAX_TEMPLATE_CHARACTERS, type Category } from './templates.ts';
export { MAX_CREDENTIALS_CHARACTERS, MAX_HEADERS, MAX_URL_CHARACTERS, urlFields } from './url-fields.ts';
export {
  DRAWN_PT,
  markBox,
  markOf,
  setupOf,
  textBox,
  type MarkSetup,
  type NameField,
  type WatermarkFields,
} from './watermark.ts';
