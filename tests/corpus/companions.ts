import type { CorpusFile } from './corpus.ts';

/** What files are merged with, in turn: outlines and links, form fields, and page labels. */
const COMPANIONS = [
  'pypdf__pdflatex-outline.pdf',
  'pypdf__libreoffice-form.pdf',
  'pdfjs__page_with_number.pdf',
];

/** Chooses the file that a file is merged with. */
export function companionOf({ name }: CorpusFile): string {
  const sum = Buffer.from(name).reduce((total, byte) => total + byte, 0);
  return COMPANIONS[sum % COMPANIONS.length] ?? '';
}
