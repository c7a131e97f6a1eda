/**
 * The object layer of PDF files: opening, reading, joining object graphs and writing.
 * @module
 */
export { readContent, type Operation } from './content.ts';
export { compressedStream } from './compressed-stream.ts';
export { PdfDocument } from './document.ts';
export { InputFault, PdfError, RenderingError, type PdfFault } from './errors.ts';
export { adoptStrayFields, eachField, fieldTypeOf } from './field-tree.ts';
export { findDuplicates } from './duplicates.ts';
export { decodeStream, filterNames, UnpackBudget } from './filters.ts';
export { formXObjectOfPage, type FormXObjectOptions } from './form-xobject.ts';
export {
  informationOf,
  claimedPdfa,
  metadataWithoutClaims,
  readXmp,
  type ClaimedStandard,
} from './metadata.ts';
export { buildNameTree, buildNumberTree, readNameTree, readNumberTree } from './key-trees.ts';
export {
  asDict,
  Dict,
  name,
  Name,
  PdfStream,
  PdfString,
  Ref,
  ReservedString,
  resolve,
  type Direct,
  type PdfObject,
} from './objects.ts';
export { joinLayerProperties } from './layers.ts';
export type { Box } from './page-box.ts';
export { geometryOf, type PageGeometry } from './page-geometry.ts';
export { Keyword, Parser } from './parser.ts';
export {
  applyInherited,
  buildPageTree,
  readPages,
  standalone,
  type Page,
  type PageTree,
} from './page-tree.ts';
export { resourcesOf } from './resources.ts';
export { MAX_PASSWORD_BYTES, preparePassword } from './password.ts';
export { pickPage, placeOn, uprightMatrix, type PlacedBox, type Placement } from './placement.ts';
export { createEncryption, type Protection } from './protection.ts';
export { serialize } from './serialize.ts';
export { decodeDate, decodeText, encodeText } from './text.ts';
export { appendUpdate, canAppend } from './update.ts';
export { reach, writePdf, type WrittenDocument, type Substitutes } from './writer.ts';
export { SyntaxFault } from './parser.ts';
export type { Xref } from './xref.ts';
export { isRegular, isWhitespace } from './characters.ts';
