/**
 * The maximum length of a title, an author or a subject. It keeps the entry within the string limit of
 * PDF/A-1 (6.1.12).
 */
export const MAX_METADATA_CHARACTERS = 16_000;

/** The entries of the information dictionary with a meaning of their own (ISO 32000-1 table 317). */
export const STANDARD_INFO_ENTRIES: ReadonlySet<string> = new Set([
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'Creator',
  'Producer',
  'CreationDate',
  'ModDate',
  'Trapped',
]);
