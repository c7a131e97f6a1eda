import { describe, expect, test } from 'bun:test';
import { samplePdf } from '../../plugins/pdf-tools/examples.ts';
import {
  describeWithPdfTools,
  pdfText,
  qpdfCheck,
  qpdfJson,
  type QpdfDictionary,
  type QpdfValue,
} from '../support/pdf.ts';
import { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { base64, signClient } from '../support/sign-client.ts';
import { pagesPdf, plainPdf, withQpdf } from './pdf-samples.ts';
import { docMdp, signedPdf } from './signed-samples.ts';

// What a stamp leaves as it was: annotations, encryption, signatures.
const service = sharedService();
const { sign, refusal } = signClient(service);

describeWithPdfTools('what is in the file', () => {
  const link = '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com)>>>>';
  const twoPages = (annotations: [string, string], more: string[]) =>
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
      `<</Type/Page/Parent 2 0 R/Resources<<>>${annotations[0]}>>`,
      `<</Type/Page/Parent 2 0 R/Resources<<>>${annotations[1]}>>`,
      ...more,
    ]);
  const stampsByPage = async (pdf: Uint8Array) => {
    const { pages, qpdf } = await qpdfJson(pdf);
    const follow = (value: QpdfValue | undefined) =>
      typeof value === 'string' ? qpdf[1][`obj:${value}`]?.value : value;
    return pages.map(({ object }) => {
      const page = follow(object) as QpdfDictionary;
      const items = (follow(page['/Annots']) ?? []) as QpdfValue[];
      return items.map((item) => (follow(item) as QpdfDictionary)['/Subtype']);
    });
  };

  test.each([
    ['direct', twoPages([`/Annots[${link}]`, ''], [])],
    ['an object', twoPages(['/Annots 5 0 R', ''], ['[6 0 R]', link])],
    ['an object of two pages', twoPages(['/Annots 5 0 R', '/Annots 5 0 R'], ['[6 0 R]', link])],
    ['no list at all', twoPages(['/Annots null', ''], [])],
  ])('annotations stay: the list is %s', async (how, pdf) => {
    const signed = await sign(pdf);
    await qpdfCheck(signed);
    const [first, second] = await stampsByPage(signed);
    expect(first).toEqual(how === 'no list at all' ? ['/Stamp'] : ['/Link', '/Stamp']);
    expect(second).toEqual(how === 'an object of two pages' ? ['/Link'] : []);
  });

  test('a file with object streams goes on with a cross-reference stream', async () => {
    const pdf = withQpdf(pagesPdf(2), ['--object-streams=generate']);
    const signed = await sign(pdf, { page: 1 });
    await qpdfCheck(signed);
    expect(signed.subarray(pdf.length).toString('latin1')).not.toContain('trailer');
    expect(await stampsByPage(signed)).toEqual([[], ['/Stamp']]);
  });

  test('objects of later generations keep them', async () => {
    const pdf = twoPages([`/Annots 5 3 R`, ''], ['[6 0 R]', link])
      .replace('5 0 obj', '5 3 obj')
      .replace(/(0000000\d+) 00000 n \n(?=\S+ \S+ n \ntrailer)/, '$1 00003 n \n');
    const signed = await sign(pdf);
    await qpdfCheck(signed);
    expect(signed.toString('latin1')).toContain('\n5 3 obj');
  });

  test('a page that is shown twice gets one stamp, in a file that is written anew', async () => {
    const pdf = twoPages(['', ''], []).replace('3 0 R 4 0 R', '3 0 R 3 0 R');
    const signed = await sign(pdf, { page: 1 });
    await qpdfCheck(signed);
    expect(await stampsByPage(signed)).toEqual([[], ['/Stamp']]);
  });

  test('a damaged file is written anew', async () => {
    const signed = await sign(pagesPdf(2).replace(/startxref\n\d+/, 'startxref\n99999'));
    await qpdfCheck(signed);
    expect(await stampsByPage(signed)).toEqual([['/Stamp'], []]);
  });

  test.each([
    ['RC4', ['--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--use-aes=n', '--']],
    ['AES 128', ['--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--use-aes=y', '--']],
    ['AES 256', ['--encrypt', '', 'owner', '256', '--print=none', '--']],
  ])('a file that is encrypted with an owner password stays so: %s', async (_, options) => {
    const signed = await sign(withQpdf(pagesPdf(1), options), { name: 'Ada 王' });
    await qpdfCheck(signed);
    expect(await pdfText(signed)).toMatch(/Ada\s+王/);
    const { qpdf } = await qpdfJson(signed);
    const objects = Object.values(qpdf[1]).map(({ value }) => value as QpdfDictionary | undefined);
    const stamp = objects.find((object) => object?.['/Subtype'] === '/Stamp');
    expect(stamp?.['/T']).toBe('u:Ada 王');
    const { body } = await service().post('/v1/pdf/info', { pdf: base64(signed) });
    expect(body.encrypted).toBe(true);
  });

  test('permissions that forbid annotations are kept to', async () => {
    const pdf = withQpdf(pagesPdf(1), ['--encrypt', '', 'owner', '256', '--annotate=n', '--']);
    expect(await refusal({ pdf: base64(pdf) })).toBe(
      'pdf: is encrypted, and its permissions do not allow annotations',
    );
  });
});

describe('a signature of another kind', () => {
  test.each([
    ['certified, no changes', signedPdf('', docMdp('/P 1'), '/Perms<</DocMDP 5 0 R>>'), 'no changes'],
    ['certified, forms', signedPdf('', docMdp('/P 2'), '/Perms<</DocMDP 5 0 R>>'), 'only filling in forms'],
    ['certified, no level', signedPdf('', docMdp(''), '/Perms<</DocMDP 5 0 R>>'), 'only filling in forms'],
    ['a lock of the document', signedPdf('/Lock<</Action/All/P 1>>', ''), 'no changes'],
  ])('that forbids annotations: %s', async (_, pdf, says) => {
    const message = await refusal({ pdf: base64(pdf) });
    expect(message).toStartWith(`pdf: has a signature that allows ${says}`);
  });

  test('that allows them, or says nothing, stays as it is', async () => {
    for (const reference of [docMdp('/P 3'), '', '/Reference[<</TransformMethod/FieldMDP>>]']) {
      const pdf = Buffer.from(signedPdf('/Lock<</Action/All>>', reference), 'latin1');
      expect((await sign(pdf)).subarray(0, pdf.length).equals(pdf)).toBe(true);
    }
  });

  test('in a damaged file would not hold', async () => {
    const pdf = signedPdf('', '').replace(/startxref\n\d+/, 'startxref\n99999');
    expect(await refusal({ pdf: base64(pdf) })).toStartWith('pdf: is signed and damaged');
  });
});

test('without the plugin that draws stamps the rest of pdf-tools works', async () => {
  await using bare = await TestService.start({
    env: { PLATEN_PLUGINS: '-render,-batch,-ai,-integrations' },
  });
  const signed = await bare.post('/v1/pdf/sign', { pdf: samplePdf, name: 'Ada' });
  expect([signed.status, signed.body.error.code]).toEqual([501, 'NOT_IMPLEMENTED']);
  expect((await bare.post('/v1/pdf/info', { pdf: samplePdf })).status).toBe(200);
}, 30_000);
