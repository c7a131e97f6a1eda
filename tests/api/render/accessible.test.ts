import { describe, expect, test } from 'bun:test';
import { checkPdfua } from '@platen/pdf-standards';
import { PdfDocument, readPages } from '@platen/pdf';
import { asDict, type Dict } from '@platen/pdf/objects';
import { everyElement } from '../../accessibility/documents.ts';
import { completed, submit } from '../../support/batch/batches.ts';
import { describeWithPdfTools, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { runOn } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

/** Creates a document without faults from the content of its body. */
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

/** Lists the elements of a PDF that have a language: their types and languages. */
function languagesOf(pdf: Uint8Array): string[] {
  const found: string[] = [];
  const visit = (element: Dict | undefined) => {
    const language = element?.string('Lang')?.key;
    if (language !== undefined) found.push(`${element?.name('S')} ${language}`);
    const kids = element?.get('K') ?? [];
    for (const kid of Array.isArray(kids) ? kids : [kids]) visit(asDict(kid));
  };
  visit(PdfDocument.open(pdf).catalog.dict('StructTreeRoot'));
  return found;
}

const NO_FINDINGS = { entries: [], omitted: 0 };

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeWithPdfTools('options.accessible', () => {
  test('makes a tagged PDF that conforms to PDF/UA-1', async () => {
    const html = accessibleHtml(
      `<h1>Report</h1><p>See <a href="https://example.com/">our site</a>.<ul><li>One<li>Two</ul>
      <p lang="de">Auf Deutsch. <p>And <span lang="fr">un mot</span> in <em lang="it">italiano</em>.
      <table><caption>Prices</caption><tr><th>Item<th>Price<tr><td>Pen<td>2</table><img src="${PIXEL}" alt="A dot">`,
    );
    const pdf = await printed(html, { accessible: true, header: 'Page {{pageNumber}}' });
    expect(checkPdfua(pdf)).toEqual([]);
    await qpdfCheck(pdf);
    expect(await pdfText(pdf)).toContain('our site');
    expect(languagesOf(pdf)).toEqual(['P de', 'Span fr', 'Em it']);
    const { catalog } = PdfDocument.open(pdf);
    expect([catalog.string('Lang')?.key, catalog.dict('MarkInfo')?.get('Marked')]).toEqual(['en', true]);
    // The checker rejects the same document without the option.
    expect(checkPdfua(await printed(html, { header: 'x' })).map(({ clause }) => clause)).toContain('7.1');
  });

  test('poppler reads the elements of the document, and no header', async () => {
    const pdf = await printed(everyElement, { accessible: true, header: 'A header', footer: 'A footer' });
    const structure = runOn(pdf, ['pdfinfo', '-struct-text', '{}'])
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('Syntax Warning'))
      .map((line) => line.replace(/ \((?:block|inline)\)/, '').replace(/Object .*/, 'Object'));
    const expected = new URL('../../accessibility/every-element.txt', import.meta.url);
    expect(`${structure.join('\n')}\n`).toBe(await Bun.file(expected).text());
  });

  test('describes links by their text', async () => {
    const pdf = await printed(
      accessibleHtml(
        `<p><a href="https://example.com/a"><b>F</b>irst</a> <a href="https://example.com/b" aria-label="The second">2</a>
        <p><a href="https://example.com/c" style="display: flex; gap: 1em"><span>Chapter</span><span>7</span></a>`,
      ),
    );
    const [page] = readPages(PdfDocument.open(pdf)).pages;
    const texts = (page?.dict.array('Annots') ?? []).map((link) => asDict(link)?.string('Contents')?.key);
    // Chromium writes a link for each part of its text.
    expect(texts).toEqual(['First', 'First', 'The second', 'Chapter 7']);
  });
});

describe('options.accessible', () => {
  test('lists every fault with the CSS path of its element', async () => {
    const { status, body } = await generate(
      '<body><h2 id=start>Start</h2><p><img src="data:,"><a href="https://example.com/"></a><h4>Deep</h4><input type="signature" name="buyer">',
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
      ['input[name="buyer"]', 'LABEL_MISSING'],
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

  test('combines with PDF/A, and the proof has both claims', async () => {
    const { status, body } = await generate(accessibleHtml('<h1>Archive</h1>'), {
      accessible: true,
      pdfa: '3b',
    });
    expect(status).toBe(200);
    const { body: proof } = await service().get(`/v1/generations/${body.id}/proof`);
    const claims = proof.claims.map(({ standard, level }: Record<string, string>) => `${standard} ${level}`);
    expect(claims.toSorted()).toEqual(['PDF/A 3b', 'PDF/UA 1']);
    expect(proof.steps.map((step: { do: string }) => step.do)).toEqual(['print', 'pdfa', 'accessible']);
    expect(await accessibilityOf(body.id)).toEqual({ claim: 'pdfua-1', findings: NO_FINDINGS });
  });

  test('warns about low contrast and fields without a label, without rejecting the document', async () => {
    const { status, body } = await generate(
      accessibleHtml(
        `<h1>H</h1><p id="pale" style="color:#aaa">Pale</p><p>Dark</p><input id="empty"><label>Name <input></label>
        <textarea aria-label="Reason"></textarea><select title="Colour"></select><input type="submit">`,
      ),
    );
    expect(status).toBe(200);
    const { claim, findings } = await accessibilityOf(body.id);
    expect([claim, findings.entries]).toEqual([
      'pdfua-1',
      [
        {
          path: '#empty',
          code: 'LABEL_MISSING',
          severity: 'warning',
          message: 'the form field has no label; add a <label> or an aria-label',
        },
        {
          path: '#pale',
          code: 'LOW_CONTRAST',
          severity: 'warning',
          message: 'the text has a contrast of 2.32:1; use at least 4.5:1',
        },
      ],
    ]);
  });

  test('names the clause that the finished PDF violates', async () => {
    // No font has a glyph for a private character.
    const { status, body } = await generate(accessibleHtml('<p>\u{10fffd}'));
    expect([status, body.error.details[0].code, body.error.details[0].path]).toEqual([
      400,
      'NOT_ACCESSIBLE',
      'ISO 14289-1, 7.21.8',
    ]);
  });

  test('rejects text that the browser draws as a picture', async () => {
    const { status, body } = await generate(
      accessibleHtml('<p style="filter:blur(1px)"><b>Text</b><p>Other'),
    );
    expect([
      status,
      body.error.details.length,
      body.error.details[0].path,
      body.error.details[0].code,
    ]).toEqual([400, 1, 'html > body > p:nth-of-type(1)', 'DRAWN_AS_PICTURE']);
  });

  test('takes the title and the language from the properties of the PDF', async () => {
    const properties = { title: 'Angebot', language: 'de' };
    const pdf = await printed('<h1>Angebot', { accessible: true, properties });
    expect(checkPdfua(pdf)).toEqual([]);
    expect(PdfDocument.open(pdf).catalog.string('Lang')?.key).toBe('de');
  });

  test('checks an active document, whose scripts cannot interfere with the check', async () => {
    const script =
      '<script>document.querySelectorAll = () => []; document.title = ""</script><form name=querySelectorAll></form>';
    const { status, body } = await generate(accessibleHtml(`<img src="${PIXEL}">${script}`));
    expect(status).toBe(400);
    expect(body.error.details.map(({ code }: { code: string }) => code)).toEqual([
      'TITLE_MISSING',
      'ALT_MISSING',
    ]);
  });

  test('applies to batches and previews', async () => {
    const html = '<html lang=en><title>T</title><h1>A</h1><img src="data:,">';
    const preview = await service().post('/v1/templates/preview', {
      html_content: html,
      options: { accessible: true },
    });
    expect([preview.status, preview.body.error.details[0].code]).toEqual([400, 'ALT_MISSING']);
    const accepted = await submit(service(), [{ html, options: { accessible: true } }]);
    const { failed, generations } = await completed(service(), accepted);
    expect([failed, generations[0].error]).toEqual([
      1,
      expect.stringContaining('NOT_ACCESSIBLE: html > body > img: '),
    ]);
  });

  test('rejects a password for readers, because the claim could not be checked', async () => {
    const protect = { ownerPassword: 'a', userPassword: 'b' };
    const { status, body } = await generate('x', { accessible: true, protect });
    expect([status, body.error.details[0].path]).toEqual([400, 'options.protect.userPassword']);
  });
});
