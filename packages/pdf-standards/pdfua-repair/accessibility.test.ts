import { describe, expect, test } from 'bun:test';
import {
  asDict,
  Dict,
  informationOf,
  name,
  PdfDocument,
  readPages,
  readXmp,
  writePdf,
  type Ref,
} from '@platen/pdf/objects';
import { plainPdf, stream } from '../../pdf/tests/plain-pdf.ts';
import { checkPdfua } from '../pdfua-check/check-pdfua.ts';
import { makeAccessible } from './make-accessible.ts';

/** A tagged page with a picture and a link, and with a border and a link that have no structure element. */
const tagged = Buffer.from(
  plainPdf([
    '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 5 0 R/Lang(en-US)/MarkInfo<</Marked true>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Annots[9 0 R 10 0 R]/StructParents 0/Resources<<>>>>',
    stream('/Figure<</MCID 0>>BDC 0 0 9 9 re f EMC\n1 1 9 9 re S'),
    '<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[7 0 R]1 8 0 R]>>>>',
    '<</S/Document/P 5 0 R/K[7 0 R 8 0 R]>>',
    '<</S/Figure/P 6 0 R/Alt(A square)/Pg 3 0 R/K 0>>',
    '<</S/Link/P 6 0 R/Pg 3 0 R/K<</Type/OBJR/Obj 9 0 R>>>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/StructParent 1/A<</S/URI/URI(https://example.com/)>>>>',
    '<</Type/Annot/Subtype/Link/Rect[9 9 20 20]/A<</S/URI/URI(https://example.com/header)>>>>',
  ]),
  'latin1',
);

const request = {
  title: 'A <title>',
  language: 'de',
  claimsPdfua: true,
  links: [{ href: 'https://example.com/', text: 'Our site' }],
};
const accessible = makeAccessible(tagged, request, Date.UTC(2026, 0));

/** Returns the accessible document with a change. */
function changed(change: (catalog: Dict, page: Dict) => void): Buffer {
  const document = PdfDocument.open(accessible);
  const [page] = readPages(document).pages;
  change(document.catalog, page?.dict ?? new Dict());
  const root = document.trailer.raw('Root') as Ref;
  return writePdf({ root, info: informationOf(document), version: '1.7', compact: true });
}

describe('makeAccessible', () => {
  test('makes a document that conforms, unlike the original', () => {
    expect(checkPdfua(accessible)).toEqual([]);
    const clauses = new Set(checkPdfua(tagged).map(({ clause }) => clause));
    expect([...clauses].sort()).toEqual(['7.1', '7.18.3', '7.18.5']);
  });

  test('writes the title and the language, and the claim only if asked to', () => {
    const document = PdfDocument.open(accessible);
    expect([
      document.catalog.string('Lang')?.key,
      document.trailer.dict('Info')?.string('Title')?.key,
    ]).toEqual(['de', 'A <title>']);
    expect(readXmp(document)).toContain('<pdfuaid:part>1</pdfuaid:part>');
    const silent = makeAccessible(tagged, { ...request, claimsPdfua: false }, 0);
    expect(readXmp(PdfDocument.open(silent))).not.toContain('pdfuaid');
    expect(checkPdfua(silent).map(({ clause }) => clause)).toEqual(['5']);
  });

  test('describes links with their text, and removes links without an element', () => {
    const [page] = readPages(PdfDocument.open(accessible)).pages;
    const links = (page?.dict.array('Annots') ?? []).map((link) => asDict(link)?.string('Contents')?.key);
    expect(links).toEqual(['Our site']);
  });

  test('describes a link without a known text with its target', () => {
    const made = makeAccessible(tagged, { ...request, links: [] }, 0);
    const [page] = readPages(PdfDocument.open(made)).pages;
    expect(asDict(page?.dict.array('Annots')?.[0])?.string('Contents')?.key).toBe('https://example.com/');
  });
});

describe('checkPdfua', () => {
  const structure = (catalog: Dict) => catalog.dict('StructTreeRoot')?.dict('K') ?? new Dict();
  const child = (catalog: Dict, index: number) =>
    asDict(structure(catalog).array('K')?.[index]) ?? new Dict();

  test.each<[string, string, (catalog: Dict, page: Dict) => void]>([
    ['a document without metadata', '7.1', (catalog) => catalog.delete('Metadata')],
    ['a document without a language', '7.2', (catalog) => catalog.delete('Lang')],
    ['a title that is not displayed', '7.1', (catalog) => catalog.delete('ViewerPreferences')],
    ['a document that is not marked', '7.1', (catalog) => catalog.delete('MarkInfo')],
    ['a picture without a text', '7.3', (catalog) => child(catalog, 0).delete('Alt')],
    ['an unknown type', '7.1', (catalog) => child(catalog, 1).set('S', name('Sidebar'))],
    ['a cell without a row', '7.2', (catalog) => child(catalog, 1).set('S', name('TD'))],
    ['a skipped heading', '7.4.2', (catalog) => child(catalog, 0).set('S', name('H2'))],
    [
      'a link without a description',
      '7.18.5',
      (_, page) => asDict(page.array('Annots')?.[0])?.delete('Contents'),
    ],
    ['a form without a field', '7.18.4', (catalog) => child(catalog, 1).set('S', name('Form'))],
    ['a link in another element', '7.18.5', (catalog) => child(catalog, 1).dict('K')?.set('S', name('Span'))],
    ['a page without a tab order', '7.18.3', (_, page) => page.delete('Tabs')],
    ['content without a parent', '7.1', (_, page) => page.delete('StructParents')],
    ['layers without a name', '7.10', (catalog) => catalog.set('OCProperties', Dict.of({ D: new Dict() }))],
  ])('finds %s', (_, clause, change) => {
    expect(checkPdfua(changed(change)).map((violation) => violation.clause)).toContain(clause);
  });

  test('accepts annotations outside of the page', () => {
    const pdf = changed((_, page) => {
      const [link] = page.array('Annots') ?? [];
      asDict(link)?.delete('Contents').set('Rect', [-20, 0, 0, 10]);
    });
    expect(checkPdfua(pdf)).toEqual([]);
  });

  test('reports a file that is not a PDF', () => {
    expect(checkPdfua(Buffer.from('no PDF'))).toEqual([{ clause: 'file', message: 'the file is not a PDF' }]);
  });
});
