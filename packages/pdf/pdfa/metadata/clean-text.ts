/**
 * Makes text valid in both the information dictionary and XMP (XML 1.0, 2.2): replaces control characters with spaces, replaces unpaired
 * surrogates, removes noncharacters, and trims white space, which XML parsers may drop.
 */
export function cleanMetadataText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Noncharacter_Code_Point}\ufeff]/gu, '')
    .trim();
}
