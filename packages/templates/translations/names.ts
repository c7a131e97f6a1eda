/**
 * The names of languages and messages that translations may have. The studio reads them with the same code.
 * @module
 */

/** The maximum length of a language tag in UTF-16 code units. */
export const MAX_TAG_LENGTH = 35;

/** Matches the name of a message. */
export const MESSAGE_NAME = /^[a-z]\w{0,63}(?:[.-]\w{1,64}){0,5}$/i;

/**
 * Returns the canonical form of a language tag; `undefined` for other text, such as the names of languages.
 * `de_AT` counts as `de-AT`.
 */
export function canonicalTag(text: string): string | undefined {
  // Longer codes are well-formed, but do not exist (RFC 5646 section 2.2.1).
  if (text.length > MAX_TAG_LENGTH || !/^[a-z]{2,3}(?![a-z])/i.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
