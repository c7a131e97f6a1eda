import { expect, test } from 'bun:test';
import { invoice } from '../../../packages/einvoice/tests/build-invoice.ts';
import { describeWithPdfTools, qpdfCheck } from '../../support/pdf/pdf.ts';
import { base64, OperationClient, runOn } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf, withQpdf } from '../../support/pdf/samples.ts';
import { docMdp, signedPdf } from '../../support/pdf/signed-samples.ts';

// The section "Files that are changed in place" of docs/pdf-operations.md.
const service = sharedService();

const REQUESTS: Record<string, object> = {
  properties: { set: { title: 'x' } },
  outline: { set: [{ title: 'x', page: 1 }] },
  watermark: { text: 'Draft' },
  stamp: { text: 'Paid' },
  number: {},
  attachments: { add: [{ name: 'a.txt', data: 'AAAA' }] },
};

const FORBIDDEN = 'pdf: is encrypted, and its permissions do not allow changes';

const encrypted = (...rights: string[]) =>
  withQpdf(pagesPdf(1), ['--encrypt', '', 'owner', '256', ...rights, '--']);

describeWithPdfTools(
  'an operation in place keeps signatures and encryption, and respects permissions:',
  () => {
    test.each(Object.entries(REQUESTS))('%s', async (operation, fields) => {
      const client = new OperationClient(service, operation);

      const signed = Buffer.from(signedPdf('', ''), 'latin1');
      const changed = await client.write(signed, fields);
      expect(changed.length).toBeGreaterThan(signed.length);
      expect(changed.subarray(0, signed.length).equals(signed)).toBe(true);

      for (const level of [1, 2, 3])
        expect(await client.rejection(signedPdf('', docMdp(`/P ${level}`)), fields)).toStartWith(
          'pdf: has a signature that allows ',
        );

      const sealed = await client.write(encrypted(), fields);
      await qpdfCheck(sealed);
      expect(runOn(sealed, ['pdfinfo', '{}'])).toMatch(/Encrypted:\s+yes/);

      expect(await client.rejection(encrypted('--modify=none'), fields)).toBe(FORBIDDEN);
    });

    test('flatten respects the permissions of an encrypted file', async () => {
      const flatten = new OperationClient(service, 'flatten');
      expect(await flatten.rejection(encrypted('--modify=none'), {})).toBe(FORBIDDEN);
    });
  },
);

// The section "Encrypted files" of docs/pdf-operations.md.
describeWithPdfTools(
  'an operation that writes a new file accepts a file whose permissions forbid changes, and does not encrypt the result:',
  () => {
    test.each([
      ['merge', (pdf: string) => ({ pdfs: [pdf, pdf] })],
      ['split', (pdf: string) => ({ pdf, ranges: [[1]] })],
      ['pages', (pdf: string) => ({ pdf, pages: '1' })],
      ['compress', (pdf: string) => ({ pdf })],
      ['pdfa', (pdf: string) => ({ pdf })],
      ['invoice', (pdf: string) => ({ pdf, profile: 'en16931', data: invoice() })],
    ])('%s', async (operation, request) => {
      const pdf = base64(encrypted('--modify=none', '--annotate=n', '--form=n', '--assemble=n'));
      const { status, body } = await service().post(`/v1/pdf/${operation}`, {
        ...request(pdf),
        output: 'base64',
      });
      expect([status, body.error]).toEqual([200, undefined]);
      const result = Buffer.from(operation === 'split' ? body.parts[0].data : body.data, 'base64');
      expect(runOn(result, ['pdfinfo', '{}'])).toMatch(/Encrypted:\s+no/);
    });
  },
);
