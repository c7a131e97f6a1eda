import { expect, test } from 'bun:test';
import { appendUpdate, PdfDocument, Ref } from '../objects/index.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import { readClaims } from './claims.ts';
import { withTrueClaims } from './true-claims.ts';

test('a false claim is removed in an update if the change was an update', () => {
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="1" pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>';
  const pdf = Buffer.from(
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Metadata 3 0 R>>',
      '<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 200 100]/Resources<<>>>>',
      stream(xmp, '/Type/Metadata/Subtype/XML'),
      '<</Type/Page/Parent 2 0 R>>',
    ]),
    'latin1',
  );
  const changed = withTrueClaims(PdfDocument.open(pdf), (document) => {
    const root = document.trailer.raw('Root');
    return appendUpdate(document, new Map(root instanceof Ref ? [[root, document.catalog.copy()]] : []));
  });
  expect(Buffer.from(changed).subarray(0, pdf.length)).toEqual(pdf);
  expect(readClaims(PdfDocument.open(changed))).toEqual([]);
});
