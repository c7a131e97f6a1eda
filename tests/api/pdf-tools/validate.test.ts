import { describe, expect, test } from 'bun:test';
import { listCorpus, readCorpus, requireCorpus } from '../../corpus/corpus.ts';
import { OperationClient } from '../../support/pdf/pdf-operations.ts';
import { issue } from '../../../packages/signatures/tests/certificates.ts';
import { signedPdf } from '../../../packages/signatures/tests/sign-pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { isThorough } from '../../support/suite.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { hostilePdfs, pagesPdf, plainPdf, stream } from '../../support/pdf/samples.ts';

const service = sharedService();
/** Files whose fonts conform, but which some readers draw differently; see `isValidProgram`. */
const STRICTER = ['pypdf__crazyones-pdfa.pdf'];

const operation = new OperationClient(service, 'validate');
const pdfa = new OperationClient(service, 'pdfa');

describe('POST /v1/pdf/validate', () => {
  test('confirms the result of a conversion, and refutes a claim that a change made false', async () => {
    const pdf = await pdfa.write(pagesPdf(2), { title: 'Report' });
    expect(await operation.read(pdf)).toEqual({
      claims: ['pdfa-1b'],
      results: [{ profile: 'pdfa-1b', valid: true, findings: [] }],
    });
    const { results } = await operation.read(Buffer.concat([pdf, Buffer.from('more')]));
    expect(results).toMatchObject([{ profile: 'pdfa-1b', valid: false }]);
    expect(results[0].findings).toContainEqual({ clause: '6.1.3', message: expect.any(String) });
  });

  test('lists claimed profiles that it cannot check', async () => {
    const xmp =
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:a="http://www.aiim.org/pdfa/ns/id/" a:part="4" a:conformance="E"/></rdf:RDF>';
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<>>>>',
      stream(xmp, '/Type/Metadata/Subtype/XML'),
    ]);
    const { claims, results } = await operation.read(pdf);
    expect(claims).toEqual(['pdfa-4e']);
    expect(results).toMatchObject([{ profile: 'pdfa-4e', valid: null, findings: [] }]);
    expect(results[0].message).toContain('pdfa-4e cannot be checked');
    expect((await operation.read(pagesPdf(1))).results).toEqual([]);
  });

  test('finds no signatures in a file without them', async () => {
    const clause = '12.8.1';
    for (const profile of ['signature', 'pades']) {
      const { results } = await operation.read(pagesPdf(1), { profile });
      const message = 'the file has no signatures';
      expect(results).toEqual([{ profile, valid: false, findings: [{ clause, message }] }]);
    }
  });

  test('names the profile that checks the signatures of a file', async () => {
    const pdf = await signedPdf({ signer: issue({ name: 'Ada' }) });
    const [signed, other] = await Promise.all([
      operation.read(pdf, { profile: 'pades' }),
      operation.read(pdf, { profile: 'signature' }),
    ]);
    expect(signed.results).toMatchObject([{ valid: null, findings: [] }]);
    expect(other.results).toMatchObject([
      { valid: false, findings: [{ message: expect.stringContaining('check them with the profile pades') }] },
    ]);
  });

  test('rejects an unknown profile, a damaged file and an output', async () => {
    expect(await operation.rejection(pagesPdf(1), { profile: 'pdfx-1a' })).toStartWith(
      'profile: must be the name of a profile',
    );
    expect(await operation.rejection('no PDF', {})).toStartWith('pdf: is not a PDF');
    expect(await operation.rejection(pagesPdf(1), { output: 'url' })).toStartWith('output: unknown field');
  });

  test.each(Object.keys(hostilePdfs) as (keyof typeof hostilePdfs)[])(
    'never confirms the hostile file %s',
    async (name) => {
      const { status, body } = await operation.post(hostilePdfs[name](), { profile: 'pdfa-1b' });
      expect([200, 400]).toContain(status);
      if (status === 200) expect(body.results[0].valid).toBe(false);
    },
  );

  test.skipIf(!isThorough || !requireCorpus())(
    'agrees with veraPDF on the corpus',
    async () => {
      if (!requireVeraPdf()) return;
      const verdicts = new Map<string, boolean>();
      const files = new Map<string, Uint8Array>();
      const check = async (name: string, pdf: Uint8Array) => {
        const { status, body } = await operation.post(pdf, { profile: 'pdfa-1b' });
        expect([200, 400]).toContain(status);
        if (status !== 200) return;
        verdicts.set(name, body.results[0].valid);
        files.set(name, pdf);
      };
      for (const [index, { name }] of listCorpus().entries()) {
        const pdf = readCorpus(name);
        await check(name, pdf);
        const converted = index % 10 === 0 ? await pdfa.post(pdf, { output: 'base64' }) : undefined;
        if (converted?.status === 200)
          await check(`${name}, converted`, Buffer.from(converted.body.data, 'base64'));
      }
      const expected = await validateWithVeraPdf(files);
      const differing = [...verdicts].filter(([name, valid]) => valid !== (expected.get(name)?.length === 0));
      expect(differing.map(([name]) => name)).toEqual(STRICTER);
      expect(STRICTER.map((name) => verdicts.get(name))).toEqual([false]);
      expect([...verdicts.values()].filter(Boolean).length).toBeGreaterThan(10);
    },
    600_000,
  );
});
