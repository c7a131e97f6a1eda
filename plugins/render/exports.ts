/**
 * The values that other plugins import from the render plugin. The types are in `contract.ts`.
 * @module
 */
export { checkOptions, checkStoredOptions } from './print/check-options.ts';
export { GENERATION, hasExpired, isDeleted, removeFromMessage } from './generations/delete-generations.ts';
export { blankGeneration } from './generations/generation.ts';
export { presentEvent, presentGenerated } from './generations/present.ts';
export { attachmentSchemas, markSchemas, propertySchemas } from './finish/schemas.ts';
export { PdfaLevelName, whyNoAttachments } from './finish/pdfa-level.ts';
export { protectSchemas, requirePasswords } from './finish/protect.ts';
export { MAX_SIDE_PT, SignatureLevel, signatureSchemas, stampSchemas } from './finish/signature.ts';
export { DRAWN_PT, markBox, markOf, setupOf, textBox, type WatermarkFields } from './finish/watermark.ts';
export { detailsOf as invoiceDetails } from './invoice/details.ts';
export { InvoiceData, InvoiceDocument, InvoiceProfileName } from './invoice/schema.ts';
export { FormatName, GenerateOptions } from './print/schemas.ts';
export { sendGenerated } from './routes.ts';
export { documentFields } from './schemas.ts';
export { readSource } from './source/read-source.ts';
export { escapeText, MAX_SNIPPET_BOXES } from './generations/snippet.ts';
