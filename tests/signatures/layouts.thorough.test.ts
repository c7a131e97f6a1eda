import { describe, expect, test } from 'bun:test';
import { PdfDocument, PdfError } from '../../packages/pdf/objects/index.ts';
import { inspectSignatures } from '../../packages/signatures/index.ts';
import { encryptedPdf, laidOutPdf, type SampleEncryption } from '../../packages/pdf/tests/encrypted-pdf.ts';
import type { LaidOutObject, Layout } from '../../packages/pdf/tests/layout.ts';
import { issue } from '../../packages/signatures/tests/certificates.ts';
import { signaturePlaceholder, signPlaceholder } from '../../packages/signatures/tests/sign-pdf.ts';
import { plainPdf, stream } from '../../packages/pdf/tests/plain-pdf.ts';
import { appendRaw } from '../../packages/pdf/tests/raw-update.ts';
import { requireTools } from '../support/pdf/pdf.ts';
import { picturesOf } from './viewers.ts';

const SIGNATURE = 6;
const FIRST_ID = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const ID = `/ID[<${FIRST_ID.toString('hex')}><${FIRST_ID.toString('hex')}>]`;
const signer = issue({ name: 'Ada' });

const ENCRYPTIONS: Readonly<Record<string, SampleEncryption | undefined>> = {
  none: undefined,
  'RC4 40': { version: 1, revision: 2, keyBytes: 5 },
  'RC4 128': { version: 2, revision: 3, keyBytes: 16 },
  'AES 128': { version: 4, revision: 4, keyBytes: 16, method: 'AESV2' },
  'AES 256': { version: 5, revision: 6, keyBytes: 32, method: 'AESV3' },
};
const LAYOUTS = ['table', 'stream', 'hybrid'] as const;

const samples = Object.keys(ENCRYPTIONS).flatMap((encryption) =>
  LAYOUTS.map((layout) => [encryption, layout] as const),
);

/** Writes a signed file of one page. Its signature is outside object streams and not encrypted. */
function signedFile(encryption: string, xref: Layout['xref']): Promise<Buffer> {
  const plain = plainPdf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]/SigFlags 3>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<<>>/Annots[5 0 R]>>',
    stream('0 0 100 100 re f'),
    `<</Type/Annot/Subtype/Widget/FT/Sig/T(S)/Rect[0 0 0 0]/F 132/P 3 0 R/V ${SIGNATURE} 0 R>>`,
    signaturePlaceholder(),
    '<</A(text)>>',
  ]);
  const change = (object: LaidOutObject): LaidOutObject =>
    object.number === SIGNATURE ? { number: SIGNATURE, text: signaturePlaceholder() } : object;
  const layout: Layout = { ...(xref && { xref }), change };
  const sample = ENCRYPTIONS[encryption];
  const file = sample
    ? encryptedPdf(plain, sample, { identity: { first: FIRST_ID, entry: ID }, layout })
    : laidOutPdf(plain, layout);
  return signPlaceholder(file, { signer });
}

/** Appends an unused object. `encryption` and `id` are the entries of the trailer. */
function update(pdf: Buffer, { encryption, id }: { encryption: string; id: string }): Buffer {
  return appendRaw(pdf, { objects: { 100: 'null' }, trailerEntries: `/Root 1 0 R${encryption}${id}` });
}

async function changesOf(pdf: Buffer): Promise<string | undefined> {
  try {
    const { signatures } = await inspectSignatures(PdfDocument.open(pdf));
    const [first] = signatures;
    return first?.intact === true ? first.later.changes : 'not intact';
  } catch (error) {
    if (error instanceof PdfError) return 'not readable';
    throw error;
  }
}

describe.if(requireTools())('an update of a signed file', () => {
  test.each(samples)(
    'with encryption %s and a %s is allowed, and shows the same page',
    async (name, layout) => {
      const signed = await signedFile(name, layout);
      const encryption = ENCRYPTIONS[name] ? '/Encrypt 91 0 R' : '';
      const changed = update(signed, { encryption, id: encryption === '' ? '' : ID });
      expect([await changesOf(signed), await changesOf(changed)]).toEqual(['none', 'allowed']);
      expect(picturesOf(changed)).toEqual(picturesOf(signed));
    },
  );

  test.each(samples.filter(([name]) => ENCRYPTIONS[name] !== undefined))(
    'with encryption %s and a %s is reported if it changes the encryption, or shows the same page',
    async (name, layout) => {
      const signed = await signedFile(name, layout);
      const expected = picturesOf(signed);
      for (const [encryption, id] of [
        ['', ID],
        ['/Encrypt 100 0 R', ID],
        ['/Encrypt<</Filter/Standard/V 1/R 2/P -4>>', ID],
      ] as const)
        expect(await changesOf(update(signed, { encryption, id }))).not.toBe('allowed');
      for (const id of ['', '/ID[<ff><ff>]', '/ID 100 0 R', '/ID[100 0 R<ff>]']) {
        const changed = update(signed, { encryption: '/Encrypt 91 0 R', id });
        if ((await changesOf(changed)) === 'allowed') expect(picturesOf(changed)).toEqual(expected);
      }
    },
  );
});
