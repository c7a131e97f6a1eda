/**
 * The values that other plugins import from the documents plugin. Built-in plugins import the types from
 * `contract.ts`; plugins outside the tree import both as `platen/documents`.
 * @module
 */
export type * from './contract.ts';
export { runFormTask } from './draw-texts.ts';
export { conversionFields, readConversion } from './conversion.ts';
export { documentFields } from './fields.ts';
export { attachmentSchemas, markFields, markSchemas, propertySchemas } from './finish.ts';
export { invoiceDetails } from './invoice-details.ts';
export { InvoiceData, InvoiceDocument, InvoiceProfileName } from './invoice.ts';
export { FormatName, GenerateOptions, HeaderFooter, WaitFor } from './options.ts';
export { OFFICE_MEDIA_TYPES } from './office-types.ts';
export { findFormat, FORMAT_NAMES } from './paper-formats.ts';
export { PdfaLevelName, whyNoAttachments } from './pdfa-level.ts';
export { protectSchemas, requirePasswords } from './protect.ts';
export { SignatureLevel, signatureSchemas, stampSchemas } from './signature.ts';
export { headerFault, isHeaderValue, isToken } from './request-header.ts';
export { sourceFields } from './source-fields.ts';
export { CATEGORIES, MAX_TEMPLATE_CHARACTERS, versionChoice } from './templates.ts';
export { urlFields, urlLimits } from './url-fields.ts';
export { markBox, markOf, setupOf, textBox } from './watermark.ts';
export { MAX_TRANSLATIONS_BYTES, translationFields } from './translation-fields.ts';
