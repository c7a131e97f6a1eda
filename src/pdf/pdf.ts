/**
 * The object layer of PDF files: opening, reading, joining object graphs and writing. Plugins import it into what runs in the tool
 * process, and nowhere else: the service process never interprets what a caller sent.
 * @module
 */
export { readContent, type Operation } from './content.ts';
export { PdfDocument } from './document.ts';
export { PdfError, type PdfFault } from './errors.ts';
export { decodeStream, UnpackBudget } from './filters.ts';
export { formOfPage, type FormShape } from './form-xobject.ts';
export { informationOf } from './information.ts';
export { buildNameTree, buildNumberTree, readNameTree, readNumberTree } from './key-trees.ts';
export {
  asDict,
  Dict,
  name,
  Name,
  PdfStream,
  PdfString,
  Ref,
  resolve,
  type Direct,
  type PdfObject,
} from './objects.ts';
export { geometryOf, type Box, type PageGeometry } from './page-geometry.ts';
export { Keyword, Parser } from './parser.ts';
export { buildPageTree, readPages, standalone, type Page, type PageTree } from './page-tree.ts';
export { pickPage, placeOn, type PlacedBox, type Placement } from './placement.ts';
export {
  answer,
  answerLater,
  decodeInput,
  forField,
  InputFault,
  openInput,
  type SentPdf,
} from './sent-pdf.ts';
export { serialize } from './serialize.ts';
export { decodeDate, decodeText, encodeText } from './text.ts';
export { appendUpdate, canAppend } from './update.ts';
export { reach, writePdf, type Outline, type Substitutes } from './writer.ts';
