/** Most characters of a title, an author or a subject: with them an entry stays within what PDF/A-1 allows a string (6.1.12). */
export const MAX_METADATA_CHARACTERS = 16_000;

/**
 * Makes text fit for Info and XMP alike (XML 1.0 2.2): control characters become spaces, what is no character of Unicode goes or is
 * replaced, and it neither begins nor ends with a space, which readers of XML may drop.
 */
export function cleanMetadataText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Noncharacter_Code_Point}\ufeff]/gu, '')
    .trim();
}
