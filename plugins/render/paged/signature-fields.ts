import { toSource, type PagedFeature } from './feature.ts';
import { markSignatureFields } from './page/signature-fields.ts';

/** Precedes the number and the name of a signature field in the link that marks its place. */
export const FIELD_LINK = 'https://signature.platen.invalid/';

const MAX_SIGNATURE_FIELDS = 100;

/** `<input type="signature">`. */
export const signatureFields: PagedFeature = {
  name: 'signatureFields',
  words: [/type\s*=\s*["']?signature\b/i],
  prepare: () =>
    `(${toSource(markSignatureFields)})(${toSource({ link: FIELD_LINK, max: MAX_SIGNATURE_FIELDS })})`,
};
