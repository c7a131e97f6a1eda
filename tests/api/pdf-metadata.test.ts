import { expect, test } from 'bun:test';
import { describeWithPdfTools, pdfInfo, qpdfCheck } from '../support/pdf.ts';
import { readQpdf } from '../support/qpdf-objects.ts';
import { sharedService } from '../support/shared-service.ts';
import { pagesPdf, plainPdf, stream } from './pdf-samples.ts';

const service = sharedService();
const base64 = (pdf: string) => Buffer.from(pdf, 'latin1').toString('base64');

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/" pdfaid:part="2">
<pdfaid:conformance>b</pdfaid:conformance><dc:title>Kept</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`;

/** A tagged file with a signed field, a title of its own and the claim to be PDF/A-2b. */
const claimingPdf = plainPdf(
  [
    '<</Type/Catalog/Pages 2 0 R/Lang(de)/Metadata 4 0 R/AcroForm<</SigFlags 3/Fields[5 0 R]>>/MarkInfo<</Marked true>>/StructTreeRoot<</Type/StructTreeRoot>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    '<</Type/Page/Parent 2 0 R/Annots[5 0 R]>>',
    stream(xmp, '/Type/Metadata/Subtype/XML'),
    '<</FT/Sig/T(sig)/Subtype/Widget/Rect[0 0 9 9]/P 3 0 R/V 6 0 R>>',
    '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 9 9 9]/Contents<00>>>',
    '<</Title(First)/Author(Ada)>>',
  ],
  '/Info 7 0 R',
);

test('info tells forms, signatures, tags and the claim to be PDF/A', async () => {
  const { body } = await service().post('/v1/pdf/info', { pdf: base64(claimingPdf) });
  expect(body).toMatchObject({
    has_form: true,
    has_signatures: true,
    tagged: true,
    pdfa: '2B',
    title: 'First',
  });
});

describeWithPdfTools('the metadata of a merge', () => {
  const merge = async (...pdfs: string[]) => {
    const { body } = await service().post('/v1/pdf/merge', { pdfs: pdfs.map(base64), output: 'base64' });
    const pdf = Buffer.from(body.data, 'base64');
    await qpdfCheck(pdf);
    return pdf;
  };

  test('is that of the first document, without its claims and without the signature', async () => {
    const merged = await merge(claimingPdf, pagesPdf(1, { info: '/Title (Second) /Subject (Other)' }));
    const told = await pdfInfo(merged);
    expect([told['Title'], told['Author'], told['Subject'], told['Pages']]).toEqual([
      'First',
      'Ada',
      undefined,
      '2',
    ]);
    const { body } = await service().post('/v1/pdf/info', { pdf: merged.toString('base64') });
    expect(body).toMatchObject({ has_form: true, has_signatures: false, tagged: false, pdfa: null });
    const file = await readQpdf(merged);
    expect(file.catalog['/Lang']).toBe('u:de');
    expect(file.typed('/Sig')).toEqual([]);
    expect(merged.includes('Kept')).toBe(true);
    expect(merged.includes('pdfaid:part=')).toBe(false);
  });

  test('is none when the first has none, and the version is the highest', async () => {
    const merged = await merge(pagesPdf(1), claimingPdf.replace('%PDF-1.4', '%PDF-1.6'));
    const told = await pdfInfo(merged);
    expect([told['Title'], told['PDF version']]).toEqual([undefined, '1.6']);
  });
});
