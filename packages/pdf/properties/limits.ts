/**
 * The maximum length of a title, an author or a subject. It keeps the entry within the string limit of
 * PDF/A-1 (6.1.12).
 */
export const MAX_METADATA_CHARACTERS = 16_000;
