import { expect, test } from 'bun:test';
import { numberPages } from '../../pdf/number/number-pages.ts';
import { appendUpdate, PdfDocument, Ref } from '@platen/pdf/objects';
import { conformingTexts } from '../pdfa-conversion/conforming-texts.ts';
import { drawnNumbers } from '../../pdf/tests/drawn-numbers.ts';
import { plainPdf, stream } from '../../pdf/tests/plain-pdf.ts';
import { readClaims } from './claims.ts';
import { withTrueClaims } from './true-claims.ts';

const FALSE_CLAIM =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="1" pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>';
const claimingPdf = Buffer.from(
  plainPdf([
    '<</Type/Catalog/Pages 2 0 R/Metadata 3 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 200 100]/Resources<<>>>>',
    stream(FALSE_CLAIM, '/Type/Metadata/Subtype/XML'),
    '<</Type/Page/Parent 2 0 R>>',
  ]),
  'latin1',
);

test('a false claim is removed in an update if the change was an update', () => {
  const changed = withTrueClaims(PdfDocument.open(claimingPdf), (document) => {
    const root = document.trailer.raw('Root');
    return appendUpdate(document, new Map(root instanceof Ref ? [[root, document.catalog.copy()]] : []));
  });
  expect(Buffer.from(changed).subarray(0, claimingPdf.length)).toEqual(claimingPdf);
  expect(readClaims(PdfDocument.open(changed))).toEqual([]);
});

test('page numbers remove a claim of PDF/A-1 that does not hold', () => {
  const numbered = withTrueClaims(PdfDocument.open(claimingPdf), (document) =>
    numberPages(
      document,
      {
        source: { pdf: { raw: Buffer.from(drawnNumbers([' of ']), 'latin1') }, field: 'format' },
        parts: ['pageNumber', 0, 'totalPages'],
        placement: { position: 'bottom', rotation: 0, tile: false, size: { factor: 0.5 }, scale: 1 },
      },
      conformingTexts(document),
    ),
  );
  expect(Buffer.from(numbered).toString('latin1')).not.toContain('pdfaid:part');
});
