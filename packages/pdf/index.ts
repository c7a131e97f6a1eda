/**
 * Reads and changes PDF files. The README lists the functions by purpose.
 *
 * The package parses untrusted files, so load it in a process that can run out of time or memory without harm
 * to others.
 * @module
 */
export {
  decodeInput,
  forField,
  openInput,
  toAsyncResult,
  toResult,
  type PdfSource,
  type Result,
} from './input.ts';
export {
  InputFault,
  PdfDocument,
  PdfError,
  readPages,
  type PdfFault,
  type PlacedBox,
} from './objects/index.ts';

export { readInfo, type PdfInfo } from './info/read-info.ts';
export { readMergeInput, type MergeInput } from './merge/merge-input.ts';
export { mergeDocuments, type MergeOptions } from './merge/merge.ts';
export { readSplitSource, type SplitSource } from './split/split-source.ts';
export { arrangePages, writePart, type PlacedPage } from './split/split.ts';
export { findBlankPages } from './pages/blank-pages.ts';
export { listOtherPages, readPageList } from './pages/page-list.ts';
export { readFontNames } from './fonts/font-names.ts';
export type { PageRange } from './split/structure-spans.ts';
export { readOutlineEntries, setOutline, type OutlineEntry } from './outline/outline.ts';
export { readInfoEntries } from './properties/info-entries.ts';
export {
  readProperties,
  setProperties,
  type DocumentProperties,
  type PropertyChanges,
} from './properties/properties.ts';
export {
  addAttachments,
  extractAttachments,
  listAttachments,
  removeAttachments,
  type Attachment,
  type NewAttachment,
} from './attachments/attachments.ts';

export { drawWatermark, type Watermark } from './watermark/watermark.ts';
export type { MarkPlacement, PlaceName } from './watermark/placement.ts';
export { protectDocument, type ProtectionPermissions, type ProtectionRequest } from './protect/protect.ts';
export { unlockDocument } from './protect/unlock.ts';
export { readSelection } from './watermark/select-pages.ts';
export { openReadable } from './pdfium/open-readable.ts';
export {
  comparePrints,
  type LayoutDifference,
  type PrintComparison,
  type PrintedPage,
} from './compare/compare-prints.ts';
export { compareDocuments, type ComparisonRequest, type PageComparison } from './compare/compare.ts';
export { drawPages, type DrawPagesRequest, type PageImage, type PageImageType } from './images/draw-pages.ts';
export { compressDocument, type CompressionRequest } from './compress/compress.ts';
export { AnnotationText } from './text/annotation-text.ts';
export { repairFonts } from './text/repair-fonts.ts';
export { extractText, type PageText, type TextFormat } from './text/extract-text.ts';
export {
  numberPages,
  type NumberPart,
  type PageNumbering,
  type TextPreparation,
} from './number/number-pages.ts';
export { stampPage, type StampRequest } from './stamp/stamp.ts';
export { addFields, type AddFieldsRequest } from './forms/add/add-fields.ts';
export type { NewFieldType, FieldDefinition } from './forms/add/definition.ts';
export type { BrowserText } from './forms/appearance/browser-text.ts';
export type { FieldKind } from './forms/fields/field.ts';
export {
  listFields,
  type ListedField,
  type ListedForm,
  type WidgetLocation,
} from './forms/fields/list-fields.ts';
export { fillForm, type FillFormRequest } from './forms/fill/fill.ts';
export type { FormResult } from './forms/form-result.ts';
export { flattenDocument } from './forms/flatten/flatten-document.ts';
export type { FieldInputValue } from './forms/fill/assignments.ts';
export { drawMissingAppearance, needsAppearance } from './annotations/missing-appearances.ts';
