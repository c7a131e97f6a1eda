import { expect, test } from 'bun:test';
import { PdfDocument } from '../objects/index.ts';
import { findBlankPages } from './blank-pages.ts';

/** Writes a PDF whose pages have the given contents. */
function pdfOf(contents: readonly string[]): Uint8Array {
  const pages = contents.map((_, index) => `${10 + 2 * index} 0 R`);
  const objects = contents.flatMap((content, index) => [
    `${10 + 2 * index} 0 obj<</Type/Page/Parent 2 0 R/Contents ${11 + 2 * index} 0 R>>endobj`,
    `${11 + 2 * index} 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
  ]);
  return Buffer.from(
    [
      '%PDF-1.7',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      `2 0 obj<</Type/Pages/MediaBox[0 0 200 100]/Count ${pages.length}/Kids[${pages.join(' ')}]>>endobj`,
      ...objects,
      'trailer<</Root 1 0 R>>',
    ].join('\n'),
  );
}

test.each([
  ['nothing', '', true],
  ['a white background', '1 1 1 rg 0 0 200 100 re f', true],
  ['a coloured background', '0.9 1 1 rg 0 0 200 100 re f', false],
  ['a black area after a restored state', 'q 1 g Q 0 0 9 9 re f', false],
  ['a watermark', '/Artifact <</Subtype /Watermark>> BDC 0 0 m 9 9 l S EMC', true],
  ['a footer, which is an artifact', '/Artifact <</Subtype /Footer>> BDC (1) Tj EMC', false],
  ['a line after a watermark', '/Artifact <</Subtype /Watermark>> BDC S EMC 0 0 m 9 9 l S', false],
  ['text', 'BT /F1 9 Tf (a) Tj ET', false],
  ['an image', '/Im1 Do', false],
  ['an inline image', 'BI /W 1 /H 1 /BPC 8 /CS /G ID a EI', false],
])('a page with %s', (_, content, isBlank) => {
  expect(findBlankPages(PdfDocument.open(pdfOf([content, 'S'])))).toEqual(isBlank ? [1] : []);
});
