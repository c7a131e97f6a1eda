import { describe, expect, test } from 'bun:test';
import { decodeStream, PdfDocument, PdfStream, readPages, resolve, type Dict } from '../objects/index.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import { drawWatermark, type Watermark } from './watermark.ts';

const open = (pdf: string | Uint8Array) =>
  PdfDocument.open(typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf);

/** A file with pages of 200 x 100 points, which share their resources. */
const pagesPdf = (count: number, { catalog = '', page = '' } = {}) =>
  plainPdf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Kids[${Array.from({ length: count }, (_, index) => `${5 + index} 0 R`).join(' ')}]/Count ${count}/MediaBox[0 0 200 100]/Resources 4 0 R>>`,
    stream('BT ET'),
    '<</Font<<>>/XObject<</PlatenMark1 3 0 R>>>>',
    ...Array.from({ length: count }, () => `<</Type/Page/Parent 2 0 R/Contents 3 0 R${page}>>`),
  ]);

/** A mark of 40 x 20 points, as a browser draws it: the area of a link. */
const mark = plainPdf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]>>',
  '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[<</Subtype/Link/Rect[10 70 50 90]>>]>>',
  stream('10 70 40 20 re f'),
]);
const source = { pdf: { raw: Buffer.from(mark, 'latin1') }, area: 'link', field: 'text' } as const;
const placement = {
  position: { x: 30, y: 40 },
  rotation: 0,
  tile: false,
  size: { factor: 1 },
  scale: 1,
} as const;
const over: Watermark = { source, placement, opacity: 1, layer: 'over' };

/** Returns the content streams of each page. */
function contents(pdf: Uint8Array): string[][] {
  const document = open(pdf);
  return readPages(document).pages.map(({ dict }) => {
    const value = dict.get('Contents');
    return (Array.isArray(value) ? value : [dict.raw('Contents') ?? null]).map((part) => {
      const content = resolve(part);
      const bytes = content instanceof PdfStream ? decodeStream(content, document.budget) : undefined;
      return Buffer.from(bytes ?? []).toString('latin1');
    });
  });
}

const resourcesOf = (pdf: Uint8Array): (Dict | undefined)[] =>
  readPages(open(pdf)).pages.map(({ dict }) => dict.dict('Resources'));

describe('drawWatermark', () => {
  test('draws over the content as an artifact, in the initial graphics state', () => {
    const pdf = drawWatermark(open(pagesPdf(1)), over);
    expect(contents(pdf)).toEqual([
      [
        'q\n',
        'BT ET',
        '\nQ\n',
        '/Artifact <</Type /Pagination /Subtype /Watermark>> BDC\nq\nq 1 0 0 1 30 40 cm /PlatenMark2 Do Q\nQ\nEMC\n',
      ],
    ]);
  });

  test('draws in the initial graphics state after content with too many or too few restore operators', () => {
    const many = drawWatermark(open(pagesPdf(1).replace('BT ET', 'Q BTQ')), over);
    expect(contents(many)[0]?.slice(0, 3)).toEqual(['q\n', '  BTQ', '\nQ\n']);
    const few = drawWatermark(open(pagesPdf(1).replace('BT ET', 'q q q')), over);
    expect(contents(few)[0]?.slice(0, 3)).toEqual(['q\n', 'q q q', '\nQ\nQ\nQ\nQ\n']);
  });

  test('draws under the content, and only on the selected pages', () => {
    const pdf = drawWatermark(open(pagesPdf(3)), { ...over, layer: 'under', pages: '2-' });
    const [first, second, third] = contents(pdf);
    expect(first).toEqual(['BT ET']);
    expect(second?.[0]).toStartWith('/Artifact');
    expect(second?.[1]).toBe('BT ET');
    expect(third).toEqual(second as string[]);
  });

  test('keeps the resources of pages and adds the mark under a new name', () => {
    const [resources] = resourcesOf(drawWatermark(open(pagesPdf(1)), over));
    const forms = resources?.dict('XObject');
    expect([...(forms?.map.keys() ?? [])]).toEqual(['PlatenMark1', 'PlatenMark2']);
    expect(resources?.dict('Font')).toBeDefined();
    const form = forms?.get('PlatenMark2');
    const box = form instanceof PdfStream ? form.dict.array('BBox') : undefined;
    expect(box).toEqual([10, 70, 50, 90]);
  });

  test('applies opacity to the mark as a whole', () => {
    const pdf = drawWatermark(open(pagesPdf(1)), { ...over, opacity: 0.25 });
    const [resources] = resourcesOf(pdf);
    expect(resources?.dict('ExtGState')?.dict('PlatenMark2')?.number('ca')).toBe(0.25);
    const form = resources?.dict('XObject')?.get('PlatenMark2');
    expect(form instanceof PdfStream && form.dict.dict('Group')?.name('S')).toBe('Transparency');
    expect(contents(pdf)[0]?.at(-1)).toContain('/PlatenMark2 gs');
  });

  test('stores one drawing, one mark and one resource dictionary for equal pages', () => {
    const [ten, twenty] = [10, 20].map((count) => drawWatermark(open(pagesPdf(count)), over).length);
    expect((twenty ?? 0) - (ten ?? 0)).toBeLessThan(10 * 200);
  });

  test('draws on one of two places where a page object occurs', () => {
    const twice = pagesPdf(1).replace('/Kids[5 0 R]/Count 1', '/Kids[5 0 R 5 0 R]/Count 2');
    const pdf = drawWatermark(open(twice), { ...over, pages: '2' });
    expect(contents(pdf).map(({ length }) => length)).toEqual([1, 4]);
  });

  test('removes claims of PDF/A and PDF/UA', () => {
    const xmp = '<rdf:Description pdfaid:part="2" pdfaid:conformance="B" pdfuaid:part="1"/>';
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 9 9]>>',
      '<</Type/Page/Parent 2 0 R>>',
      stream(xmp, '/Type/Metadata/Subtype/XML'),
    ]);
    expect(drawWatermark(open(pdf), over).toString('latin1')).not.toMatch(/pdfu?aid:part/);
  });

  test('rejects an empty mark and pages that do not exist', () => {
    const empty = mark.replace('/Rect[10 70 50 90]', '/Rect[10 70 10 90]');
    const broken = { ...source, pdf: { raw: Buffer.from(empty, 'latin1') } };
    expect(() => drawWatermark(open(pagesPdf(1)), { ...over, source: broken })).toThrow(
      expect.objectContaining({ field: 'text' }),
    );
    expect(() => drawWatermark(open(pagesPdf(1)), { ...over, pages: '2', path: 'watermark.' })).toThrow(
      expect.objectContaining({ field: 'watermark.pages' }),
    );
  });
});
