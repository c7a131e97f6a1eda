/**
 * Font programs (TrueType, CFF, Type 1), CMaps, encodings and widths.
 * @module
 */
export { writeCff, type WrittenGlyph } from './cff-writer.ts';
export { CffProgram } from './cff.ts';
export { cidWidths, type CidWidths, writeCidWidths } from './cid-widths.ts';
export { systemInfo, writeCidMap, writeToUnicode } from './cmap-writer.ts';
export { type CMap, codeKey, readCMap, splitKey } from './cmap.ts';
export {
  charSet,
  cidSet,
  completeDescriptor,
  NONSYMBOLIC,
  plainName,
  styleOf,
  subsetName,
  SYMBOLIC,
} from './descriptor.ts';
export { type Face, facesFor, fallbackFaces, symbolProgram } from './faces.ts';
export { cmapOf, toUnicodeOf } from './font-cmaps.ts';
export { type CodeNames, ENCODINGS, STANDARD_ENCODING } from './glyph-names.ts';
export { GlyphOutline } from './glyph-outline.ts';
export { type FontFile, readFontFile } from './open-program.ts';
export { predefinedCMap, unicodeOfCollection } from './predefined-cmaps.ts';
export { DamagedFont, type Program } from './program.ts';
export { namesOf, readEncoding, type SimpleEncoding } from './simple-encoding.ts';
export { simpleWidths, writeWidths } from './simple-widths.ts';
export { standardWidth } from './standard-widths.ts';
export { SYMBOL_ENCODINGS } from './symbol-encodings.ts';
export { type GlyphSelection, shownGlyph, strictGlyph, symbolGlyph } from './truetype-encoding.ts';
export { TrueTypeProgram } from './truetype.ts';
export { Type1Program } from './type1.ts';
export { isListedGlyphName, unicodeOfName } from './unicode.ts';
export { isValidProgram } from './validate-program.ts';
