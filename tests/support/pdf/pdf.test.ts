import { expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import {
  describeWithPdfTools,
  links,
  pageCount,
  pageSizes,
  pdfInfo,
  pdfText,
  perceivedDifference,
  pixelDifference,
  qpdfCheck,
  rasterise,
} from './pdf.ts';

interface Sample {
  pages: { text: string; width?: number; height?: number; uri?: string }[];
  title?: string;
}

/**
 * Writes a PDF by hand (ISO 32000-1 7.5), so that the tools are tested on a file that our writer did not
 * produce.
 */
function writePdf({ pages, title = 'Sample' }: Sample): Uint8Array {
  const bodies: string[] = [];
  const add = (body: string): number => bodies.push(body);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add('');
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  add(`<< /Title (${title}) /CreationDate (D:20250102030405Z) >>`);
  const kids = pages.map(({ text, width = 200, height = 100, uri }) => {
    const drawing = `BT /F1 18 Tf 20 40 Td (${text}) Tj ET`;
    const content = add(`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`);
    const link =
      uri && add(`<< /Type /Annot /Subtype /Link /Rect [20 30 90 60] /A << /S /URI /URI (${uri}) >> >>`);
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${content} 0 R` +
        ` /Resources << /Font << /F1 3 0 R >> >> ${link ? `/Annots [${link} 0 R]` : ''} >>`,
    );
  });
  bodies[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  let file = '%PDF-1.4\n';
  const offsets = bodies.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R /Info 4 0 R >>\n`;
  file += `startxref\n${file.indexOf('xref\n0')}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}

/** Resolves with the error of a rejected promise. */
async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error('the promise was fulfilled');
}

const hello = writePdf({ pages: [{ text: 'Hello' }] });
const two = writePdf({
  title: 'Two pages',
  pages: [
    { text: 'First', uri: 'https://example.com/?a=1' },
    { text: 'Second', width: 300, height: 150, uri: 'mailto:a@example.com' },
  ],
});
const notPdf = new TextEncoder().encode('not a PDF');

describeWithPdfTools('the PDF test tools', () => {
  test('count pages and read their sizes', async () => {
    expect(await pageCount(hello)).toBe(1);
    expect(await pageCount(two)).toBe(2);
    expect(await pageSizes(two)).toEqual([
      { width: 200, height: 100 },
      { width: 300, height: 150 },
    ]);
  });

  test('read document information', async () => {
    const info = await pdfInfo(two);
    expect(info['Title']).toBe('Two pages');
    expect(info['CreationDate']).toStartWith('2025-01-02T');
  });

  test('extract the text of all pages or of one', async () => {
    expect(await pdfText(two)).toContain('First');
    expect((await pdfText(two, { page: 2 })).trim()).toBe('Second');
  });

  test('list the URIs of links', async () => {
    expect(await links(two)).toEqual(['https://example.com/?a=1', 'mailto:a@example.com']);
    expect(await links(hello)).toEqual([]);
  });

  test('reject a file that is not a PDF', async () => {
    for (const read of [pageCount, pageSizes, pdfInfo, pdfText, qpdfCheck, rasterise, links]) {
      expect((await rejection(read(notPdf))).message).toMatch(/exited with/);
    }
  });

  test('accept a valid file and reject a broken cross-reference table', async () => {
    await qpdfCheck(hello);
    const broken = new TextEncoder().encode(
      new TextDecoder().decode(hello).replace('startxref\n', 'startxref\n9'),
    );
    expect((await rejection(qpdfCheck(broken))).message).toMatch(/xref/);
  });

  test('find a document equal to itself and different from another', async () => {
    const [first, again] = [await rasterise(hello), await rasterise(hello)];
    expect(pixelDifference(first, again).changed).toBe(0);
    const other = pixelDifference(first, await rasterise(writePdf({ pages: [{ text: 'Hallo' }] })));
    expect(other.changed).toBeGreaterThan(0);
    expect(other.pages[0]?.changed).toBe(other.changed);
  });

  test('render at the requested resolution', async () => {
    const [page] = await rasterise(hello, { dpi: 144 });
    expect([page?.width, page?.height]).toEqual([400, 200]);
  });

  test('count every pixel of a missing page and of a page of another size', async () => {
    const [one, both] = [await rasterise(hello), await rasterise(two)];
    const second = both[1]!;
    expect(pixelDifference(both, both.slice(0, 1)).pages[1]?.changed).toBe(second.width * second.height);
    expect(pixelDifference(one, [second]).changed).toBe(second.width * second.height);
    expect(perceivedDifference(one, []).changed).toBe(one[0]!.width * one[0]!.height);
  });

  test('detect the smallest change of one pixel, which a tolerant comparison ignores', () => {
    const image = (value: number): PNG => {
      const png = new PNG({ width: 4, height: 4 });
      png.data.fill(255);
      png.data[0] = value;
      return png;
    };
    for (const value of [254, 250]) expect(pixelDifference([image(255)], [image(value)]).changed).toBe(1);
    expect(perceivedDifference([image(255)], [image(250)]).changed).toBe(0);
    expect(perceivedDifference([image(255)], [image(0)]).changed).toBe(1);
  });
});
