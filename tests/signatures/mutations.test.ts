import { describe, expect, test } from 'bun:test';
import { PdfDocument, PdfError } from '../../packages/pdf/objects/index.ts';
import { inspectSignatures, readPem, verifySignatures } from '../../packages/pdf/signatures/index.ts';
import { stream } from '../../packages/pdf/tests/plain-pdf.ts';
import { issue, toPem } from '../../packages/pdf/tests/pki/certificates.ts';
import { signedPdf } from '../../packages/pdf/tests/pki/sign-pdf.ts';
import { appendRawStreams } from '../../packages/pdf/tests/raw-stream-update.ts';
import { appendRaw } from '../../packages/pdf/tests/raw-update.ts';
import { requireTools } from '../support/pdf.ts';
import { withPdfFiles } from '../support/pdf-operations.ts';
import { isThorough } from '../support/suite.ts';

const root = issue({ name: 'Root' });
const roots = readPem(toPem(root));
const signed = await signedPdf({ signer: issue({ name: 'Ada', issuer: root }) });

/** A page content that hides the signed one. The updates contain it as an object that the page does not use. */
const FORGED = stream('1 0 0 rg 0 0 300 200 re f');
const SAMPLES = {
  table: appendRaw(signed, { objects: { 40: FORGED } }),
  stream: appendRawStreams(signed, { packed: { 60: 'null' }, objects: { 40: FORGED } }),
};

/** The changes at one position. `4` turns the number 40 into 4, the number of the content of the page. */
const MUTATIONS: readonly ((pdf: Buffer, at: number) => Buffer)[] = [
  (pdf, at) => Buffer.concat([pdf.subarray(0, at), pdf.subarray(at + 1)]),
  (pdf, at) => Buffer.concat([pdf.subarray(0, at), pdf.subarray(at, at + 1), pdf.subarray(at)]),
  ...[' ', '\n', '%', '4', '/', '>'].map((text) => (pdf: Buffer, at: number) => {
    const copy = Buffer.from(pdf);
    copy.write(text, at, 'latin1');
    return copy;
  }),
];

async function isValid(pdf: Uint8Array): Promise<boolean> {
  try {
    const inspection = await inspectSignatures(PdfDocument.open(pdf));
    const result = verifySignatures(inspection, { roots, answers: [], now: Date.now() });
    return 'valid' in result && result.valid;
  } catch (error) {
    if (error instanceof PdfError) return false;
    throw error;
  }
}

const VIEWERS = [
  ['pdftoppm', '-r', '36', '-f', '1', '-l', '1'],
  ['mutool', 'draw', '-q', '-r', '36', '-F', 'ppm', '-o', '-'],
].filter(([program = '']) => Bun.which(program) !== null);

/** Returns the pictures of the first page in other programs. */
function picturesOf(pdf: Uint8Array): string[] {
  return withPdfFiles([pdf], ([path]) =>
    VIEWERS.map((command) => {
      const page = command[0] === 'mutool' ? ['1'] : [];
      const { stdout } = Bun.spawnSync([...command, path, ...page], { stderr: 'ignore' });
      return new Bun.CryptoHasher('sha256').update(stdout).digest('hex');
    }),
  );
}

describe.if(requireTools())('a changed byte after the signature', () => {
  test.each(Object.keys(SAMPLES) as (keyof typeof SAMPLES)[])(
    'of an update with a %s is reported, or other programs still show the signed page',
    async (name) => {
      const sample = SAMPLES[name];
      expect(await isValid(sample)).toBe(true);
      const expected = picturesOf(signed);
      expect(picturesOf(sample)).toEqual(expected);
      const step = isThorough ? 1 : 41;
      const wrong: string[] = [];
      let rejected = 0;
      for (let index = 0; index < (sample.length - signed.length) * MUTATIONS.length; index += step) {
        const at = signed.length + Math.floor(index / MUTATIONS.length);
        const changed = MUTATIONS[index % MUTATIONS.length]?.(sample, at) ?? sample;
        if (!(await isValid(changed))) rejected += 1;
        else if (picturesOf(changed).join() !== expected.join())
          wrong.push(`${at - signed.length}: ${index % MUTATIONS.length}`);
      }
      expect(wrong).toEqual([]);
      expect(rejected).toBeGreaterThan(10);
    },
    1_800_000,
  );
});
