import { describe, expect, test } from 'bun:test';
import { decodeStream, Dict, PdfDocument, PdfStream, readPages, resolve } from '../objects/index.ts';
import { drawnNumbers } from '../tests/drawn-numbers.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import { numberPages, type PageNumbering } from './number-pages.ts';

const open = (pdf: string | Uint8Array) =>
  PdfDocument.open(typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf);
const pagesPdf = (count: number, catalog = '') =>
  plainPdf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Kids[${Array.from({ length: count }, (_, index) => `${4 + index} 0 R`).join(' ')}]/Count ${count}/MediaBox[0 0 200 100]/Resources<<>>>>`,
    stream(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="1" pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>',
      '/Type/Metadata/Subtype/XML',
    ),
    ...Array.from({ length: count }, () => '<</Type/Page/Parent 2 0 R>>'),
  ]);

const numbering = (changes: Partial<PageNumbering> = {}): PageNumbering => ({
  source: { pdf: { raw: Buffer.from(drawnNumbers([' of ', 'A-']), 'latin1') }, field: 'format' },
  parts: ['pageNumber', 0, 'totalPages'],
  placement: { position: 'bottom', rotation: 0, tile: false, size: { factor: 0.5 }, scale: 1 },
  ...changes,
});

/** Returns the text of each page: the content of the forms that it shows, in order. */
function textsOf(pdf: Uint8Array): string[] {
  const document = open(pdf);
  const read = (value: unknown) => {
    const bytes = value instanceof PdfStream ? decodeStream(value, document.budget) : undefined;
    return Buffer.from(bytes ?? []).toString('latin1');
  };
  return readPages(document).pages.map((page) => {
    const contents = page.dict.array('Contents') ?? [];
    const operators = contents.map((part) => read(resolve(part))).join('\n');
    const resources = page.dict.get('Resources') ?? resolve(page.inherited.get('Resources'));
    const forms = resources instanceof Dict ? resources.dict('XObject') : undefined;
    const shown = [...operators.matchAll(/\/(\w+) Do/g)].map(([, key = '']) => read(forms?.get(key)));
    return shown.map((content) => /\((.*)\)/.exec(content)?.[1] ?? '').join('');
  });
}

describe('numberPages', () => {
  test('writes the number of each page in the document', () => {
    const texts = textsOf(numberPages(open(pagesPdf(11)), numbering()));
    expect([texts[0], texts[9], texts[10]]).toEqual(['1 of 11', '10 of 11', '11 of 11']);
  });

  test('counts the selected pages from start', () => {
    expect(textsOf(numberPages(open(pagesPdf(4)), numbering({ pages: '2, 4', start: 9 })))).toEqual([
      '',
      '9 of 10',
      '',
      '10 of 10',
    ]);
  });

  test('pads Bates numbers with zeros', () => {
    const bates = { digits: 4, start: 999 };
    expect(textsOf(numberPages(open(pagesPdf(2)), numbering({ parts: [1, 'bates'], bates })))).toEqual([
      'A-0999',
      'A-1000',
    ]);
  });

  test('takes less than 800 bytes for each page', () => {
    const [ten = 0, twenty = 0] = [10, 20].map(
      (count) => numberPages(open(pagesPdf(count)), numbering()).length,
    );
    expect(twenty - ten).toBeLessThan(10 * 800);
  });

  test('removes a claim of PDF/A-1 that does not hold', () => {
    const numbered = numberPages(open(pagesPdf(1, '/Metadata 3 0 R')), numbering());
    expect(Buffer.from(numbered).toString('latin1')).not.toContain('pdfaid:part');
  });
});
