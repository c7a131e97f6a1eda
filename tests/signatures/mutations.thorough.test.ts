import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PdfDocument, PdfError, readPages, Ref } from '../../packages/pdf/objects/index.ts';
import { inspectSignatures } from '../../packages/signatures/index.ts';
import { issue } from '../../packages/signatures/tests/certificates.ts';
import { signedPdf } from '../../packages/signatures/tests/sign-pdf.ts';
import { stream } from '../../packages/pdf/tests/plain-pdf.ts';
import { appendRawStreams } from '../../packages/pdf/tests/raw-stream-update.ts';
import { appendRaw } from '../../packages/pdf/tests/raw-update.ts';
import { pagesPdf } from '../support/pdf/samples.ts';
import { storeCertificate } from '../support/signatures/certificates.ts';
import { requireTools } from '../support/pdf/pdf.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { picturesOf } from './viewers.ts';

/** The number of changed files of each sample. */
const CASES = 250;
/** A page content that hides the signed one. */
const FORGED = stream('1 0 0 rg 0 0 900 900 re f');

const service = sharedService();

/** The signed files, by the program that signed them. */
const SIGNED: Readonly<Record<string, () => Promise<Buffer>>> = {
  'the test': () => signedPdf({ signer: issue({ name: 'Ada' }) }),
  pyHanko: async () =>
    readFileSync(join(import.meta.dir, '../../packages/signatures/tests/fixtures/signatures/plain.pdf')),
  async Platen() {
    const certificate = await storeCertificate(service(), 'rsa.p12');
    const pdf = Buffer.from(pagesPdf(1), 'latin1').toString('base64');
    const { body } = await service().post('/v1/pdf/sign', {
      pdf,
      certificate,
      visible: false,
      output: 'base64',
    });
    return Buffer.from(body.data, 'base64');
  },
};

/**
 * Adds an object that the page does not use. Without its last digit, its number is that of the content of the
 * page.
 */
const UPDATES: Readonly<Record<string, (pdf: Buffer, unused: number, root: string) => Buffer>> = {
  table: (pdf, unused, root) =>
    appendRaw(pdf, { objects: { [unused]: FORGED }, trailerEntries: `/Root ${root}` }),
  stream: (pdf, unused, root) =>
    appendRawStreams(pdf, { packed: { [unused + 1]: 'null' }, objects: { [unused]: FORGED }, root }),
};

/** The changes at one position. */
const MUTATIONS: readonly ((pdf: Buffer, at: number) => Buffer)[] = [
  (pdf, at) => Buffer.concat([pdf.subarray(0, at), pdf.subarray(at + 1)]),
  (pdf, at) => Buffer.concat([pdf.subarray(0, at), pdf.subarray(at, at + 1), pdf.subarray(at)]),
  ...[' ', '\n', '%', '4', '/', '>'].map((text) => (pdf: Buffer, at: number) => {
    const copy = Buffer.from(pdf);
    copy.write(text, at, 'latin1');
    return copy;
  }),
];

/** Finds the first and the last byte of each token, of each run of white space, and of each delimiter. */
function structuralPlaces(pdf: Buffer, start: number): number[] {
  const text = pdf.toString('latin1', start);
  const places = [...text.matchAll(/[^\s()<>[\]{}/%]+|\s+|[()<>[\]{}/%]/g)].flatMap(({ 0: token, index }) =>
    token.length === 1 ? [start + index] : [start + index, start + index + token.length - 1],
  );
  return places;
}

/** Chooses changes: at least one at each place if there are enough cases, and all kinds of change in turn. */
function chooseCases(places: readonly number[]): [at: number, kind: number][] {
  const step = Math.max(1, places.length / CASES);
  const rounds = Math.max(1, Math.min(MUTATIONS.length, Math.floor(CASES / places.length)));
  const cases: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1)
    for (let index = 0; index < places.length; index += step) {
      const place = Math.floor(index);
      cases.push([places[place] ?? 0, (place + round) % MUTATIONS.length]);
    }
  return cases;
}

async function isAllowed(pdf: Uint8Array): Promise<boolean> {
  try {
    const { signatures } = await inspectSignatures(PdfDocument.open(pdf));
    return (
      signatures.length > 0 &&
      signatures.every(
        ({ intact, later, faults }) => intact && later.changes !== 'not_allowed' && faults.length === 0,
      )
    );
  } catch (error) {
    if (error instanceof PdfError) return false;
    throw error;
  }
}

describe.if(requireTools())('a changed byte after a signature', () => {
  const samples = Object.keys(SIGNED).flatMap((signer) =>
    Object.keys(UPDATES).map((update) => [signer, update] as const),
  );

  test.each(samples)(
    'of %s, in an update with a %s, is reported, or other programs still show the signed page',
    async (signer, update) => {
      const signed = (await SIGNED[signer]?.()) ?? Buffer.alloc(0);
      const document = PdfDocument.open(signed);
      const content = readPages(document).pages[0]?.dict.raw('Contents');
      const root = document.trailer.raw('Root');
      if (!(content instanceof Ref && root instanceof Ref)) throw new Error('the sample has no content');
      const sample = UPDATES[update]?.(signed, content.number * 10, `${root.number} 0 R`) ?? signed;
      expect(await isAllowed(sample)).toBe(true);
      const expected = picturesOf(signed);
      expect(picturesOf(sample)).toEqual(expected);
      const wrong: string[] = [];
      let rejected = 0;
      for (const [at, kind] of chooseCases(structuralPlaces(sample, signed.length))) {
        const changed = MUTATIONS[kind]?.(sample, at) ?? sample;
        if (!(await isAllowed(changed))) rejected += 1;
        else if (picturesOf(changed).join() !== expected.join()) wrong.push(`${at - signed.length}: ${kind}`);
      }
      expect(wrong).toEqual([]);
      expect(rejected).toBeGreaterThan(10);
    },
    1_800_000,
  );
});
