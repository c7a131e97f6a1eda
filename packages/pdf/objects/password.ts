import { encodePdfDoc } from './text.ts';

/** The maximum length of a password of revisions 5 and 6 in bytes of UTF-8. Readers ignore the rest. */
export const MAX_PASSWORD_BYTES = 127;

/**
 * Normalizes a password for revisions 5 and 6 (ISO 32000-2 7.6.4.3.2, which refers to the profile SASLprep of
 * RFC 4013): spaces become U+0020, invisible characters are removed, and the rest is normalized to NFKC.
 */
export function preparePassword(text: string): string {
  return text
    .replaceAll(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu, ' ')
    .replaceAll(/\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/gu, '')
    .normalize('NFKC');
}

/**
 * Returns the byte strings that writers may have used for a password: with the encoding that the standard
 * requires first, then as plain UTF-8.
 */
export function passwordForms(text: string, revision: number): Buffer[] {
  if (text === '') return [Buffer.alloc(0)];
  const utf8 = (form: string) => Buffer.from(form, 'utf8').subarray(0, MAX_PASSWORD_BYTES);
  const pdfDocBytes = encodePdfDoc(text);
  const forms =
    revision >= 5
      ? [utf8(preparePassword(text)), utf8(text)]
      : [...(pdfDocBytes ? [Buffer.from(pdfDocBytes)] : []), utf8(text)];
  return forms.filter((form, index) => forms.findIndex((other) => other.equals(form)) === index);
}
