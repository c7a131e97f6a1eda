import { describe, expect, test } from 'bun:test';
import { qpdfCheck } from '../../support/pdf/pdf.ts';
import { OperationClient, runOn } from '../../support/pdf/pdf-operations.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';
import { signedPdf } from '../../support/pdf/signed-samples.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const client = new OperationClient(service, 'accessible');
const tagged = (html: string) => service().pdf({ html, options: { accessible: 'report' }, output: 'base64' });

describe('POST /v1/pdf/accessible', () => {
  test('makes a tagged PDF conform to PDF/UA-1', async () => {
    const pdf = await tagged('<h1>Report</h1><p>Text with <a href="https://example.com/">a link</a></p>');
    const fields = { title: 'Annual report', language: 'en-GB' };
    const body = await client.read(pdf, { ...fields, output: 'base64' });
    expect([body.pdfua, body.findings]).toEqual([true, []]);
    const made = Buffer.from(body.data, 'base64');
    await qpdfCheck(made);
    expect(runOn(made, ['pdfinfo', '{}'])).toMatch(/Title:\s+Annual report[^]*Tagged:\s+yes/);
    if (requireVeraPdf())
      expect([...(await validateWithVeraPdf(new Map([['made', made]]), 'ua1')).values()]).toEqual([[]]);
  });

  test('names the violated clauses, or returns the PDF without the claim', async () => {
    const pdf = await tagged('<h1>Report</h1>');
    const { status, body } = await client.post(pdf, { title: 'Report', language: '' });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/^pdf: cannot be made accessible: .*ISO 14289-1, 7\.2/);
    expect(body.error.details[0].path).toBe('pdf');
    const reported = await client.read(pdf, { title: 'Report', language: '', report: true });
    expect([reported.pdfua, reported.findings[0].clause]).toEqual([false, '7.2']);
  });

  test('rejects a PDF without tags and a signed one', async () => {
    expect(await client.rejection(pagesPdf(1), {})).toStartWith('pdf: has no tags, which PDF/UA requires');
    expect(await client.rejection(signedPdf('', ''), {})).toBe(
      'pdf: is signed, and the change would invalidate its signatures',
    );
    expect(await client.read(pagesPdf(1), { report: true })).toMatchObject({
      pdfua: false,
      findings: [{ clause: '7.1', message: 'the document has no tags' }],
    });
  });
});
