import { describe, expect, test } from 'bun:test';
import { checkPdfua, PdfDocument, readPages } from '@platen/pdf';
import { asDict } from '@platen/pdf/objects';
import { describeWithPdfTools, pdfText, qpdfCheck } from '../support/pdf.ts';
import { sharedService } from '../support/shared-service.ts';

const service = sharedService();

/** A document without faults. `body` is the content of its body. */
const accessibleHtml = (body: string, head = '<title>A title</title>') =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;

async function generate(html: string, options: Record<string, unknown> = { accessible: true }) {
  return service().post('/v1/generate', { html, options, output: 'base64' });
}

async function printed(html: string, options?: Record<string, unknown>): Promise<Buffer> {
  const { status, body } = await generate(html, options);
  expect([status, body.error]).toEqual([200, undefined]);
  return Buffer.from(body.data, 'base64');
}

async function accessibilityOf(id: string) {
  const { body } = await service().get(`/v1/generations/${id}?receipt=true`);
  return body.receipt.accessibility;
}

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeWithPdfTools('options.accessible', () => {
  test('makes a tagged PDF that conforms to PDF/UA-1', async () => {
    const html = accessibleHtml(
      `<h1>Report</h1><p>See <a href="https://example.com/">our site</a>.<ul><li>One<li>Two</ul>
      <table><caption>Prices</caption><tr><th>Item<th>Price<tr><td>Pen<td>2</table><img src="${PIXEL}" alt="A dot">`,
    );
    const pdf = await printed(html, { accessible: true, header: 'Page {{pageNumber}}' });
    expect(checkPdfua(pdf)).toEqual([]);
    await qpdfCheck(pdf);
    expect(await pdfText(pdf)).toContain('our site');
    const { catalog } = PdfDocument.open(pdf);
    expect([catalog.string('Lang')?.key, catalog.dict('MarkInfo')?.get('Marked')]).toEqual(['en', true]);
    // The checker rejects the same document without the option.
    expect(checkPdfua(await printed(html, { header: 'x' })).map(({ clause }) => clause)).toContain('7.1');
  });

  test('describes links by their text', async () => {
    const pdf = await printed(
      accessibleHtml(
        '<p><a href="https://example.com/a">First</a> <a href="https://example.com/b" aria-label="The second">2</a>',
      ),
    );
    const [page] = readPages(PdfDocument.open(pdf)).pages;
    const texts = (page?.dict.array('Annots') ?? []).map((link) => asDict(link)?.string('Contents')?.key);
    expect(texts).toEqual(['First', 'The second']);
  });
});

describe('options.accessible', () => {
  test('lists every fault with the CSS path of its element', async () => {
    const { status, body } = await generate(
      '<body><h2 id=start>Start</h2><p><img src="data:,"><a href="https://example.com/"></a><h4>Deep</h4>',
    );
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const found = body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]);
    expect(found).toEqual([
      ['head > title', 'TITLE_MISSING'],
      ['html', 'LANGUAGE_MISSING'],
      ['html > body > p > img', 'ALT_MISSING'],
      ['#start', 'HEADING_ORDER'],
      ['html > body > h4', 'HEADING_ORDER'],
      ['html > body > p > a', 'LINK_EMPTY'],
    ]);
  });

  test('"report" lists the same faults in the receipt, and the PDF claims nothing', async () => {
    const { status, body } = await generate('<title>T</title><h2>Start</h2>', { accessible: 'report' });
    expect(status).toBe(200);
    const { claim, findings } = await accessibilityOf(body.id);
    expect(claim).toBe(null);
    expect(findings.entries.map(({ code }: { code: string }) => code)).toEqual([
      'LANGUAGE_MISSING',
      'HEADING_ORDER',
    ]);
    expect(Buffer.from(body.data, 'base64').includes('pdfuaid:part')).toBe(false);
  });
});
