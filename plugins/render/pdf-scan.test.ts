import { describe, expect, test } from 'bun:test';
import { countPages, readPlaces, removeUnsafeLinks } from './pdf-scan.ts';

/** Writes objects as Skia does: numbered from 1, with one cross-reference table. */
function skiaPdf(objects: readonly string[], root: number): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) text += `${String(offset).padStart(10, '0')} 00000 n \n`;
  text += `trailer\n<</Size ${objects.length + 1}\n/Root ${root} 0 R>>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

const link = (uri: string) => `<</Type /Annot\n/Subtype /Link\n/A <</Type /Action\n/S /URI\n/URI ${uri}>>>>`;
const catalog = '<</Type /Catalog\n/Pages 2 0 R>>';

describe('countPages', () => {
  test('reads the count of the page tree, not a title that imitates it', () => {
    const title = '<</Title (/Type /Pages /Count 99 /Root 3 0 R startxref 7)>>';
    expect(countPages(skiaPdf([catalog, '<</Type /Pages\n/Count 12\n/Kids []>>', title], 1))).toBe(12);
  });

  test('throws for a PDF of an unexpected form', () => {
    expect(() => countPages(Buffer.from('%PDF-1.7\nstartxref\n9\n%%EOF'))).toThrow('unexpected form');
  });
});

describe('readPlaces', () => {
  test('reads the place of each destination through a nested page tree', async () => {
    const objects = [
      '<</Type /Catalog\n/Pages 2 0 R\n/Dests 7 0 R\n/Lang (/Dests 9 0 R)>>',
      '<</Type /Pages\n/Count 3\n/Kids [3 0 R 6 0 R]>>',
      '<</Type /Pages\n/Count 2\n/Parent 2 0 R\n/Kids [4 0 R 5 0 R]>>',
      ...Array.from({ length: 3 }, () => '<</Type /Page\n/MediaBox [0 0 595 842]\n/Parent 2 0 R>>'),
      '<</a [6 0 R /XYZ 6 826.25 0]\n/50#2525 [4 0 R /XYZ 0 0 0]\n/endobj [5 0 R /XYZ 0 850 0]>>',
    ];
    expect(await readPlaces(skiaPdf(objects, 1))).toEqual({
      pages: Array.from({ length: 3 }, () => ({ width: 595, height: 842 })),
      destinations: [
        { name: 'a', page: 3, left: 6, top: 15.75 },
        { name: '50%25', page: 1, left: 0, top: 842 },
        { name: 'endobj', page: 2, left: 0, top: -8 },
      ],
      marks: [],
    });
  });

  test('reads the boxes of links that mark places, on their pages', async () => {
    const mark = (rect: string, uri: string) =>
      `<</Type /Annot\n/Subtype /Link\n/Rect [${rect}]\n/A <</Type /Action\n/S /URI\n/URI (${uri})>>>>`;
    const page = '<</Type /Page\n/MediaBox [0 0 595 842]\n/Annots [5 0 R 6 0 R]\n/Parent 2 0 R>>';
    const objects = [
      '<</Type /Catalog\n/Pages 2 0 R>>',
      '<</Type /Pages\n/Count 2\n/Kids [3 0 R 4 0 R]>>',
      '<</Type /Page\n/MediaBox [0 0 595 842]\n/Parent 2 0 R>>',
      page,
      mark('10 20 110.5 42', 'https://place.platen.invalid/row-1'),
      mark('10 20 110 40', 'https://example.com/https://place.platen.invalid/row-2'),
    ];
    expect((await readPlaces(skiaPdf(objects, 1))).marks).toEqual([
      { name: 'row-1', page: 2, left: 10, top: 800, width: 100.5, height: 22 },
    ]);
  });

  test('finds no destinations in a document without links, even if the name of its language contains /Dests', async () => {
    const language = '<</Type /Catalog\n/Pages 2 0 R\n/Lang (/Dests 9 0 R)>>';
    const pdf = skiaPdf([language, '<</Type /Pages\n/Count 1\n/Kids []>>'], 1);
    expect((await readPlaces(pdf)).destinations).toEqual([]);
  });
});

describe('removeUnsafeLinks', () => {
  const unsafe = [
    '(javascript:alert\\(1\\))',
    '(data:text/html,x)',
    '(file:///etc/passwd)',
    '(vbscript:x)',
    '(JAVASCRIPT:x)',
    '(relative)',
    '<6A6176617363726970743A78>',
  ];
  const safe = ['(http://a.test/\\(b\\))', '(https://a.test)', '(mailto:a@b.c)', '(tel:+411234)'];

  test.each(unsafe)('removes %s', async (uri) => {
    const pdf = skiaPdf([catalog, '<</Type /Pages\n/Count 1>>', link(uri)], 1);
    const length = pdf.length;
    expect(await removeUnsafeLinks(pdf)).toBe(1);
    expect(pdf.toString('latin1')).not.toContain('/URI');
    expect(pdf.length).toBe(length);
    expect(countPages(pdf)).toBe(1);
  });

  test.each(safe)('keeps %s', async (uri) => {
    const pdf = skiaPdf([catalog, '<</Type /Pages\n/Count 1>>', link(uri)], 1);
    expect(await removeUnsafeLinks(pdf)).toBe(0);
    expect(pdf.toString('latin1')).toContain(uri);
  });

  test('leaves a title that imitates a link', async () => {
    const pdf = skiaPdf(
      [
        catalog,
        '<</Type /Pages\n/Count 1>>',
        '<</Title (/A <</Type /Action /S /URI /URI \\(javascript:x\\)>>)>>',
      ],
      1,
    );
    expect(await removeUnsafeLinks(pdf)).toBe(0);
  });

  test('removes links across the borders of search chunks', async () => {
    const bad = `${link('(javascript:x)')}\n`;
    const pdf = Buffer.from(`${' '.repeat(7_999_980)}${bad}${' '.repeat(8_000_000 - bad.length)}${bad}`);
    expect(await removeUnsafeLinks(pdf)).toBe(2);
    expect(pdf.includes('javascript')).toBe(false);
  });

  test('reads unterminated strings only once', async () => {
    const action = '/A <</Type /Action\n/S /URI\n/URI ';
    for (const open of ['(x', '<aa'])
      expect(await removeUnsafeLinks(Buffer.from((action + open).repeat(200_000)))).toBeLessThan(2);
  });
});
