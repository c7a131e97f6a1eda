import { describe, expect, test } from 'bun:test';
import { describeWithPdfTools, qpdfCheck, qpdfJson } from '../../support/pdf/pdf.ts';
import { formOf } from '../../support/service/multipart.ts';
import { OperationClient, rejectionOf, runOn } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { hostilePdfs, pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const client = new OperationClient(service, 'outline');

interface Bookmark {
  title: string;
  page: number;
  children?: Bookmark[];
}

/** Reads the outline with qpdf. */
async function bookmarks(pdf: Uint8Array): Promise<Bookmark[]> {
  const json = JSON.parse(runOn(pdf, ['qpdf', '--json', '--json-key=outlines', '{}']));
  const present = (item: { title: string; destpageposfrom1: number; kids: never[] }): Bookmark => ({
    title: item.title,
    page: item.destpageposfrom1,
    ...(item.kids.length > 0 && { children: item.kids.map(present) }),
  });
  return json.outlines.map(present);
}

const chapters = [
  { title: 'Chapter «1»', page: 1, children: [{ title: 'Section 章', page: 2 }] },
  { title: 'Chapter 2', page: 3 },
];

describe('POST /v1/pdf/outline', () => {
  test('reads an empty outline', async () => {
    expect(await client.read(pagesPdf(1))).toEqual({ outline: [] });
  });

  test('rejects invalid items with their path', async () => {
    const set = [
      { title: 'a', page: 1 },
      { title: 'b', page: 1, children: [{ title: 'c', page: 9 }] },
    ];
    expect(await client.rejection(pagesPdf(3), { set })).toBe(
      'set[1].children[0].page: must be an integer from 1 to 3: the PDF has 3 pages',
    );
    expect(await client.rejection(pagesPdf(3), { set: 'all' })).toBe(
      'set: must be a list of { title, page, children? }',
    );
    expect(await client.rejection(pagesPdf(3), { output: 'url' })).toStartWith('output: needs set');
  });

  test('takes the items as JSON in a multipart part', async () => {
    const form = formOf([
      ['pdf', Buffer.from(pagesPdf(3), 'latin1')],
      ['set', JSON.stringify(chapters)],
    ]);
    const answer = await fetch(`${service().url}/v1/pdf/outline`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service().key}`, accept: 'application/pdf' },
      body: form,
    });
    expect((await client.read(await answer.bytes())).outline).toEqual(chapters);
  });
});

describeWithPdfTools('the written outline', () => {
  test('is read by qpdf, and removed by an empty list', async () => {
    const pdf = await client.write(pagesPdf(3), { set: chapters });
    await qpdfCheck(pdf);
    expect(await bookmarks(pdf)).toEqual(chapters);
    expect((await client.read(pdf)).outline).toEqual(chapters);
    expect(await bookmarks(await client.write(pdf, { set: [] }))).toEqual([]);
  });

  test('is encrypted in an encrypted file', async () => {
    const pdf = await client.write(hostilePdfs.ownerPassword(), { set: [{ title: 'Plans', page: 1 }] });
    await qpdfCheck(pdf);
    expect(pdf.toString('latin1')).not.toContain('Plans');
    expect(await bookmarks(pdf)).toEqual([{ title: 'Plans', page: 1 }]);
  });
});

describeWithPdfTools('options.outline', () => {
  const html = `<title>Book</title><h1>One</h1><p>${'text '.repeat(50)}</p><h2>One <em>A</em></h2>
    <h1 style="break-before:page">Two &amp; 二</h1><h3>Two A</h3>`;
  const expected = [
    { title: 'One', page: 1, children: [{ title: 'One A', page: 1 }] },
    { title: 'Two & 二', page: 2, children: [{ title: 'Two A', page: 2 }] },
  ];

  test('makes bookmarks from headings', async () => {
    const pdf = await service().pdf({ html, options: { outline: true } });
    await qpdfCheck(pdf);
    expect(await bookmarks(pdf)).toEqual(expected);
    expect(runOn(pdf, ['pdfinfo', '{}'])).toMatch(/Tagged:\s+no/);
  });

  test('works with a footer of the first page, in PDF/A and in active documents', async () => {
    for (const options of [
      { firstPage: { footer: 'first' }, footer: 'other' },
      { pdfa: true },
      { singlePage: false, waitFor: { delayMs: 1 } },
    ]) {
      const pdf = await service().pdf({ html, options: { outline: true, ...options } });
      expect(await bookmarks(pdf)).toEqual(expected);
    }
  });

  test('leads only to the selected pages', async () => {
    const pdf = await service().pdf({ html, options: { outline: true, pageRanges: '2' } });
    await qpdfCheck(pdf);
    const found = await bookmarks(pdf);
    expect(found.at(-1)).toEqual({ title: 'Two & 二', page: 1, children: [{ title: 'Two A', page: 1 }] });
  });

  test('adds little to the size of the file', async () => {
    const long = `<h1>T</h1>${'<table><tr><td>a<td>b<tr><td>c<td>d</table><p>text</p>'.repeat(200)}`;
    const [plain, outlined] = await Promise.all(
      [{}, { outline: true }].map((options) => service().pdf({ html: long, options })),
    );
    if (!plain || !outlined) throw new Error('a PDF is missing');
    expect(outlined.length).toBeLessThan(plain.length * 1.5);
    expect(JSON.stringify((await qpdfJson(outlined)).qpdf)).not.toContain('StructElem');
  });

  test('must be a boolean', async () => {
    const answer = await service().post('/v1/generate', { html: 'x', options: { outline: 'h1' } });
    expect(rejectionOf(answer)).toStartWith('options.outline: ');
  });
});
