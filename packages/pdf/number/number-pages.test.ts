import { describe, expect, test } from 'bun:test';
import {
  asDict,
  decodeStream,
  type Dict,
  PdfDocument,
  PdfStream,
  readPages,
  Ref,
  resolve,
} from '../objects/index.ts';
import { drawnNumbers } from '../tests/drawn-numbers.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import { numberPages, type PageNumbering } from './number-pages.ts';

const open = (pdf: string | Uint8Array) =>
  PdfDocument.open(typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf);
const pagesPdf = (count: number, catalog = '', entries = '') =>
  plainPdf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Kids[${Array.from({ length: count }, (_, index) => `${4 + index} 0 R`).join(' ')}]/Count ${count}/MediaBox[0 0 200 100]/Resources<<>>>>`,
    stream(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="1" pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>',
      '/Type/Metadata/Subtype/XML',
    ),
    ...Array.from({ length: count }, () => `<</Type/Page/Parent 2 0 R${entries}>>`),
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
  const shownBy = (operators: string, resources: Dict | undefined): string =>
    [...operators.matchAll(/\/(\w+) Do/g)]
      .map(([, key = '']) => {
        const form = resources?.dict('XObject')?.get(key);
        const content = read(form);
        return content.includes(' Do')
          ? shownBy(content, asDict(form)?.dict('Resources'))
          : (/\((.*)\)/.exec(content)?.[1] ?? '');
      })
      .join('');
  return readPages(document).pages.map((page) => {
    const contents = page.dict.array('Contents') ?? [];
    const operators = contents.map((part) => read(resolve(part))).join('\n');
    return shownBy(operators, asDict(page.dict.get('Resources') ?? page.inherited.get('Resources')));
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

  test.each([
    ['inherited', ''],
    ['separate', '/Resources<</Font<<>>>>'],
  ])('adds at most 350 bytes to each page with %s resources', (_, entries) => {
    const bytesOf = (count: number) => {
      const pdf = pagesPdf(count, '', entries);
      return numberPages(open(pdf), numbering()).length - pdf.length;
    };
    expect(bytesOf(90) - bytesOf(20)).toBeLessThan(70 * 350);
  });

  test('draws the text that all pages share from one form', () => {
    const written = numberPages(
      open(pagesPdf(120)),
      numbering({ parts: ['pageNumber', 0, 'totalPages', 0] }),
    );
    expect(textsOf(written)[7]).toBe('8 of 120 of ');
    const content = readPages(open(written)).pages[7]?.dict.array('Contents')?.at(-1);
    const resolved = resolve(content);
    const shown = resolved instanceof PdfStream ? Buffer.from(resolved.raw).toString('latin1') : '';
    expect(shown.split(' Do')).toHaveLength(3);
  });

  test('keeps the resources of pages that share them, and of pages with their own', () => {
    const shared = '/Resources 3 0 R/Contents[]';
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[5 0 R 6 0 R 7 0 R]/Count 3/MediaBox[0 0 200 100]>>',
      '<</XObject<</PlatenMark1 4 0 R>>/Font<</A 4 0 R>>>>',
      stream('', '/Type/XObject/Subtype/Form/BBox[0 0 1 1]'),
      `<</Type/Page/Parent 2 0 R${shared}>>`,
      `<</Type/Page/Parent 2 0 R${shared}>>`,
      '<</Type/Page/Parent 2 0 R/Resources<</Font<</B 4 0 R>>>>>>',
    ]);
    const written = numberPages(open(pdf), numbering());
    expect(textsOf(written)).toEqual(['1 of 3', '2 of 3', '3 of 3']);
    const resources = readPages(open(written)).pages.map(({ dict }) => dict.raw('Resources'));
    expect(resources[0]).toBeInstanceOf(Ref);
    expect(resources[1]).toBe(resources[0]);
    expect(asDict(resources[0])?.dict('XObject')?.map.has('PlatenMark1')).toBeTrue();
    expect([...(asDict(resources[0])?.dict('Font')?.map.keys() ?? [])]).toEqual(['A']);
    expect([...(asDict(resources[2])?.dict('Font')?.map.keys() ?? [])]).toEqual(['B']);
  });
});
