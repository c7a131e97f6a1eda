import { createHash } from 'node:crypto';
import { plainPdf, stream } from '../../pdf/tests/plain-pdf.ts';
import { signCms, type CmsRequest } from './responders.ts';

const CONTENTS_BYTES = 8_000;
const RANGES = [2_000_000_001, 2_000_000_002, 2_000_000_003].join(' ');

/** Object numbers in a file that {@link signedPdf} makes. */
export const SIGNED_PDF_OBJECTS = {
  catalog: 1,
  pages: 2,
  page: 3,
  content: 4,
  signatureField: 5,
  textField: 6,
  signature: 7,
  note: 8,
} as const;

/** The parts of a signed file. The inherited fields describe its CMS signature. */
export interface SignedPdfRequest extends Omit<CmsRequest, 'messageDigest' | 'content'> {
  /** Further entries of the signature dictionary. */
  entries?: string;
  /** Further entries of the text field. */
  fieldEntries?: string;
  /** The entry `SubFilter` of the signature dictionary; `ETSI.CAdES.detached` by default. */
  subFilter?: string;
  /** The content stream of the page. */
  content?: string;
  /** The entry `Resources` of the page. */
  resources?: string;
  /** The annotations of the page. */
  annotations?: string;
  /** Further entries of the catalog, of the form and of the trailer. */
  catalogEntries?: string;
  formEntries?: string;
  trailerEntries?: string;
  /** Further objects, numbered from 9. */
  objects?: readonly string[];
}

/** Makes a file of one page, with a text field `name` and a note, and signs it. */
export async function signedPdf({
  entries = '',
  fieldEntries = '',
  subFilter = 'ETSI.CAdES.detached',
  content = '0 0 100 100 re f',
  resources = '<<>>',
  annotations = '5 0 R 6 0 R 8 0 R',
  catalogEntries = '',
  formEntries = '',
  trailerEntries = '',
  objects = [],
  ...cms
}: SignedPdfRequest): Promise<Buffer> {
  const pdf = Buffer.from(
    plainPdf(
      [
        `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R]/SigFlags 3${formEntries}>>${catalogEntries}>>`,
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources ${resources}/Annots[${annotations}]>>`,
        stream(content),
        '<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature1)/Rect[0 0 0 0]/F 132/P 3 0 R/V 7 0 R>>',
        `<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 100 30]/F 4/P 3 0 R/V(Ada)${fieldEntries}>>`,
        signaturePlaceholder(entries, subFilter),
        '<</Type/Annot/Subtype/Text/Rect[200 150 220 170]/F 4/Contents(Read this)>>',
        ...objects,
      ],
      trailerEntries,
    ),
    'latin1',
  );
  return signPlaceholder(pdf, { ...cms, subFilter });
}

/** Returns a signature dictionary without a value. {@link signPlaceholder} completes it. */
export function signaturePlaceholder(entries = '', subFilter = 'ETSI.CAdES.detached'): string {
  return `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/${subFilter}/ByteRange[0 ${RANGES}]${entries}/Contents<${'0'.repeat(2 * CONTENTS_BYTES)}>>>`;
}

/** Signs a file that has one {@link signaturePlaceholder}. Changes the bytes of the file, and returns it. */
export async function signPlaceholder(
  pdf: Buffer,
  {
    subFilter = '',
    ...cms
  }: Omit<CmsRequest, 'messageDigest' | 'content'> & Pick<SignedPdfRequest, 'subFilter'>,
): Promise<Buffer> {
  const start = pdf.indexOf(`/Contents<${'0'.repeat(2 * CONTENTS_BYTES)}`, 'latin1') + '/Contents'.length;
  const end = start + 2 * CONTENTS_BYTES + 2;
  pdf.write(`${start} ${end} ${pdf.length - end}`.padEnd(RANGES.length), pdf.indexOf(RANGES), 'latin1');
  const hash = createHash(cms.digest ?? 'sha256');
  hash.update(pdf.subarray(0, start)).update(pdf.subarray(end));
  const isDigestOnly = subFilter === 'adbe.pkcs7.sha1';
  const sha1 = createHash('sha1').update(pdf.subarray(0, start)).update(pdf.subarray(end)).digest();
  const signature = await signCms(
    isDigestOnly
      ? { ...cms, content: { type: '1.2.840.113549.1.7.1', bytes: sha1 } }
      : { ...cms, messageDigest: hash.digest() },
  );
  pdf.write(signature.toString('hex'), start + 1, 'latin1');
  return pdf;
}
