import { expect, test } from 'bun:test';
import { carriedTable, itemRow } from '../../documents/carried-table.ts';
import { marked } from '../../documents/footnotes.ts';
import { completed, submit } from '../../support/batch/batches.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { runOn } from '../../support/pdf/pdf-operations.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const HTML = `<!doctype html><html lang="en"><head><title>Invoice</title>
  <style>@page { size: A5; margin: 20mm } table { width: 100% }</style></head>
  <body><h1>Invoice</h1>${carriedTable({ rows: 60 }).replaceAll('<th>', '<th scope="col">')}</body></html>`;

describeWithPdfTools('carried rows in other kinds of PDFs', () => {
  test('in an accessible PDF/A-3b they are artifacts', async () => {
    const options = { accessible: true, pdfa: '3b' };
    const { status, body } = await service().post('/v1/generate', { html: HTML, options, output: 'base64' });
    expect(status).toBe(200);
    const pdf = Buffer.from(body.data, 'base64');
    expect((await pdfText(pdf)).match(/[BCT]=/g)).toEqual(['C=', 'B=', 'C=', 'B=', 'T=']);
    const tagged = runOn(pdf, ['pdfinfo', '-struct-text', '{}']);
    expect(tagged.match(/\((?:1|60)\)|[BCT]=|"Net"/g)).toEqual(['"Net"', '(1)', '(60)', 'T=']);
    if (!requireVeraPdf()) return;
    for (const level of ['ua1', '3b'] as const)
      expect((await validateWithVeraPdf(new Map([['invoice', pdf]]), level)).get('invoice')).toEqual([]);
  }, 120_000);

  test('with footnotes, in an accessible PDF/A-3b', async () => {
    const row = (number: number) => itemRow(number, number % 9 === 4 ? marked((number / 9) | 0) : '');
    const html = HTML.replace(/<table[\s\S]*<\/table>/, () => carriedTable({ rows: 60, row }))
      .replaceAll('<th>', '<th scope="col">')
      .replace('Item', `Item${marked(99)}`);
    const options = { accessible: true, pdfa: '3b' };
    const { status, body } = await service().post('/v1/generate', { html, options, output: 'base64' });
    expect(status).toBe(200);
    const pdf = Buffer.from(body.data, 'base64');
    expect((await pdfText(pdf)).match(/[BCT]=/g)).toEqual(['C=', 'B=', 'C=', 'B=', 'T=']);
    const tagged = runOn(pdf, ['pdfinfo', '-struct-text', '{}']);
    expect(tagged.match(/[BCT]=|note\d+x/g)).toHaveLength(9);
    expect(tagged.match(/call99x/g)).toHaveLength(1);
    if (!requireVeraPdf()) return;
    for (const level of ['ua1', '3b'] as const)
      expect((await validateWithVeraPdf(new Map([['invoice', pdf]]), level)).get('invoice')).toEqual([]);
  }, 120_000);

  test('a batch makes the same pages as a single request', async () => {
    const single = await service().post('/v1/generate', { html: HTML, output: 'base64' });
    const accepted = await submit(service(), [{ html: HTML }, { html: HTML }]);
    await completed(service(), accepted);
    const expected = await pdfText(Buffer.from(single.body.data, 'base64'));
    for (const { id } of accepted.body.generations) {
      const { body } = await service().get(`/v1/generations/${id}`);
      expect(await pdfText(Buffer.from(await service().download(body.url)))).toBe(expected);
    }
  }, 120_000);

  test('two hundred tables in a row have their sums, and none breaks without them', async () => {
    const tables = Array.from({ length: 200 }, () => carriedTable({ rows: 12 })).join('');
    const { status, body } = await service().post('/v1/generate', {
      html: `<!doctype html><style>@page { size: A5; margin: 20mm } table { border-collapse: collapse }</style>${tables}`,
      output: 'base64',
    });
    expect(status).toBe(200);
    let [last, sum, carried] = [0, 0, false];
    for (const [token, item] of (await pdfText(Buffer.from(body.data, 'base64'))).matchAll(
      /\((\d+)\)|[BCT]=\d+|\f/g,
    )) {
      if (item !== undefined) {
        expect(Number(item)).toBe((last % 12) + 1);
        last = Number(item);
        sum = last === 1 ? 1 : sum + last;
      } else if (token === '\f') {
        // A page ends after a whole table, or after the sum so far.
        expect(last === 12 || carried).toBe(true);
      } else expect(token.slice(2)).toBe(String(sum));
      carried = token.startsWith('C=');
    }
  }, 120_000);
});
