import { expect, test } from 'bun:test';
import { marked, noteFaults, readNotePages } from '../../documents/footnotes.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { printOn } from '../../support/service/print.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const PAGE = '<!doctype html><style>@page { size: A5; margin: 20mm }</style>';
const MARGIN_PT = 56.7;
const SENTENCE = 'Words that fill the page and go on for some time. ';

const print = (html: string, options: object = {}) => printOn(service(), html, options);

const paragraphs = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `<p>${SENTENCE.repeat(3)}${marked(n, SENTENCE.repeat(n % 3))} ${SENTENCE.repeat(n % 4)}</p>`,
  ).join('');

describeWithPdfTools('footnotes', () => {
  test('are at the foot of the page with their call', async () => {
    const pdf = await print(`${PAGE}${paragraphs(12)}`);
    expect(await noteFaults(pdf, { count: 12, marginPt: MARGIN_PT })).toEqual([]);
    const pages = await readNotePages(pdf);
    expect(pages.length).toBeGreaterThan(2);
    const selected = await print(`${PAGE}${paragraphs(12)}`, { pageRanges: '2' });
    expect(await readNotePages(selected)).toEqual([pages[1] as never]);
  });

  test.each([
    [
      'boxes without margins',
      (n: number) => `<div style="font-family: sans-serif">${marked(n)} ${SENTENCE.repeat(2)}</div>`,
    ],
    ['lines that end with a br element', (n: number) => `${marked(n)} ${SENTENCE.repeat(2)}<br>`],
    ['right pages', (n: number) => `<h1 style="break-before: right">${marked(n)}</h1>`],
  ])('are on the page of their call: %s', async (name, part) => {
    const count = name === 'right pages' ? 6 : 30;
    const parts = Array.from({ length: count }, (_, n) => part(n)).join('');
    const pdf = await print(`${PAGE}<main>${parts}</main>`);
    expect(await noteFaults(pdf, { count, marginPt: MARGIN_PT })).toEqual([]);
    expect((await readNotePages(pdf)).length).toBeGreaterThan(2);
  });

  test('are below a box that continues on the next page, and that begins a page with its border and margins', async () => {
    const box = (more: string) =>
      `<div style="height: 600px"></div><div style="border: 2px solid; padding: 3px"><p>${marked(0)}</p>${more}</div>`;
    for (const more of ['<p style="break-before: page">Text</p>', `<p>${SENTENCE.repeat(120)}</p>`]) {
      const pdf = await print(`${PAGE}${box(more)}`);
      expect(await noteFaults(pdf, { count: 1, marginPt: MARGIN_PT })).toEqual([]);
      expect((await readNotePages(pdf)).length).toBeGreaterThan(2);
    }
  });

  test.each([
    [
      'boxes whose first child begins a page',
      (n: number) =>
        `<div style="border: 2px solid"><div style="border: 2px solid; break-before: page"><p>${marked(2 * n)} ${SENTENCE.repeat(40)}</p><p>${marked(2 * n + 1)} ${SENTENCE.repeat(20)}</p></div></div>`,
    ],
    [
      'boxes that would fit on a page without their notes',
      (n: number) =>
        `<div style="break-inside: avoid; padding: 8px"><p>${marked(2 * n)} ${SENTENCE.repeat(14)}</p><h2>Heading</h2><p>${SENTENCE.repeat(8)}</p><p>${marked(2 * n + 1, SENTENCE.repeat(9))} ${SENTENCE.repeat(7)}</p></div>`,
    ],
  ])('are on the page of their call: %s', async (_, box) => {
    const pdf = await print(`${PAGE}<p>Text</p>${[0, 1, 2].map(box).join('')}`);
    expect(await noteFaults(pdf, { count: 6, marginPt: MARGIN_PT })).toEqual([]);
  });

  test('are planned for the size and margins of `@page`, also when the pages are fitted onto another paper', async () => {
    for (const format of ['A4', 'A6']) {
      const pages = await readNotePages(await print(`${PAGE}${paragraphs(7)}`, { format }));
      expect(pages).toHaveLength(2);
    }
    // Chromium prints such margins as 0.
    const pdf = await print(`${PAGE}<style>@page { margin: auto }</style>${paragraphs(9)}`);
    expect(await noteFaults(pdf, { count: 9, marginPt: 0 })).toEqual([]);
    expect(await readNotePages(pdf)).toHaveLength(2);
  });

  test('have ids of their own when accessible PDFs are merged and pages repeat', async () => {
    const html = `<html lang="en"><title>Notes</title><body><h1>Notes</h1><p>${marked(0)} ${marked(1)}</p>`;
    const pdf = (await print(html, { accessible: true })).toString('base64');
    const { body } = await service().post('/v1/pdf/merge', { pdfs: [pdf, pdf, pdf], output: 'base64' });
    const { body: judged } = await service().post('/v1/pdf/validate', { pdf: body.data, profile: 'pdfua-1' });
    // Both operations remove the claim, and only it.
    expect(judged.results).toMatchObject([{ findings: [{ clause: '5' }] }]);
    const pages = { pdf, pages: '1, 1, 1', output: 'base64' };
    const { data } = (await service().post('/v1/pdf/pages', pages)).body;
    const { body: repeated } = await service().post('/v1/pdf/validate', { pdf: data, profile: 'pdfua-1' });
    expect(repeated.results).toMatchObject([{ findings: [{ clause: '5' }] }]);
  });

  test('are numbered anew on each page or in each section', async () => {
    const text = async (numbering: string) => {
      const section = (n: number) =>
        `<section style="break-before: page">${marked(n)} ${marked(n + 1)}</section>`;
      return (
        await pdfText(await print(`${PAGE}<html data-footnotes="${numbering}">${section(0)}${section(2)}`))
      ).replaceAll(/\s+/g, ' ');
    };
    for (const numbering of ['page', 'section']) {
      expect(await text(numbering)).toContain('call0x1 call1x2 1. note0x 2. note1x');
      expect(await text(numbering)).toContain('call2x1 call3x2 1. note2x 2. note3x');
    }
    expect(await text('document')).toContain('call2x3 call3x4 3. note2x 4. note3x');
    const { status, body } = await service().post('/v1/generate', {
      html: '<body data-footnotes="chapter">x<span data-footnote>y</span>',
    });
    expect([status, body.error.details[0].message]).toEqual([
      400,
      'data-footnotes: "chapter" is not "page", "section" or "document"',
    ]);
  });

  test('are no part of tables of contents and running strings', async () => {
    const pdf = await print(
      `<!doctype html><style>@page { size: A5; margin: 20mm; @top-left { content: "[" string(chapter) "]" } }
      h1 { break-before: page; string-set: chapter content() }</style>
      <nav data-toc="h1"></nav><h1>One ${marked(0)}</h1>${paragraphs(0)}<p>${SENTENCE.repeat(60)}</p><h1>Two</h1>`,
    );
    const pages = (await pdfText(pdf)).split('\f').map((page) => page.replaceAll(/\s+/g, ' '));
    expect(pages[0]).toContain('One call0x 2 Two 4');
    expect(pages[1]).toContain('[One call0x]');
    expect(pages[1]).toContain('1. note0x');
    expect(pages[3]).toContain('Two');
  });

  test.each([
    [
      'NOTE_TOO_LONG',
      `<p>x<p id="p">y<span data-footnote>${SENTENCE.repeat(200)}</span>`,
      '#p > span: the footnote does not fit on a page',
    ],
    [
      'RENDER_FAILED',
      '<p>x<span data-footnote>y<b data-footnote>z</b></span>',
      'html > body > p > span > b: a footnote cannot be part of another footnote',
    ],
    ['RENDER_FAILED', '<body data-footnote>x', 'html > body: the document itself cannot be a footnote'],
    [
      'RENDER_FAILED',
      '<div style="position: fixed">x<span data-footnote>y</span></div>',
      'html > body > div > span: a footnote cannot be in an element with position: fixed',
    ],
    [
      'RENDER_FAILED',
      '<div style="width: 2000px">x<span data-footnote>y</span></div>',
      'with footnotes, it must not be wider than its pages',
    ],
  ])('%s for a note that has no place', async (code, html, message) => {
    const { status, body } = await service().post('/v1/generate', { html: PAGE + html });
    expect([status, body.error.details[0].code]).toEqual([400, code]);
    expect(body.error.message).toContain(message);
  });
});
