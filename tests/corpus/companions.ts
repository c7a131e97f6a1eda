import type { CorpusFile } from './corpus.ts';

/**
 * The files that others are merged with: with bookmarks and links, with form fields, and with page labels.
 */
const COMPANIONS = [
  'pypdf__pdflatex-outline.pdf',
  'pypdf__libreoffice-form.pdf',
  'pdfjs__page_with_number.pdf',
];

/** Chooses the file to merge a file with. */
export function companionOf({ name }: CorpusFile): string {
  const sum = Buffer.from(name).reduce((total, byte) => total + byte, 0);
  return COMPANIONS[sum % COMPANIONS.length] ?? '';
}
