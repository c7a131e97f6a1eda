import { expect, test } from 'bun:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { describeWithPdfTools, qpdfCheck } from '../support/pdf/pdf.ts';
import { runOn } from '../support/pdf/pdf-operations.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { readStarters, requestFor } from '../support/starters/starters.ts';
import { proseDocument, tableDocument } from './documents.ts';

const service = sharedService();

/** The largest ratio of the sizes of an accessible file and a plain one (docs/accessibility.md). */
const MAX_RATIO = 1.6;

const documents: [string, { options?: object }][] = [
  ...readStarters().map((starter) => [starter.slug, requestFor(starter, starter.sample_data)] as const),
  ['a table of 150 rows', { html: tableDocument(150) }],
  ['a table of 1,500 rows', { html: tableDocument(1_500) }],
  ['prose with links', { html: proseDocument(600) }],
] as [string, { options?: object }][];

async function sizeOf(request: { options?: object }, options: object): Promise<number> {
  const { status, body } = await service().post('/v1/generate', {
    ...request,
    options: { ...request.options, ...options },
    output: 'url',
  });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.file_size;
}

test.each([
  ['PDF', undefined],
  ['PDF/A-3b', '3b'],
])(
  '%s: accessible adds at most 60 %% to the size of any document',
  async (_, pdfa) => {
    const level = pdfa === undefined ? {} : { pdfa };
    const ratios: [string, number][] = [];
    for (const [name, request] of documents) {
      const plain = await sizeOf(request, level);
      ratios.push([name, (await sizeOf(request, { ...level, accessible: true })) / plain]);
    }
    expect(ratios.filter(([, ratio]) => ratio > MAX_RATIO)).toEqual([]);
  },
  600_000,
);

describeWithPdfTools('a large structure tree', () => {
  test('is read by poppler and qpdf, and pdf-lib reads the pages', async () => {
    const request = { html: tableDocument(1_500), options: { accessible: true }, output: 'base64' };
    const { body } = await service().post('/v1/generate', request);
    const pdf = Buffer.from(body.data, 'base64');
    await qpdfCheck(pdf);
    const structure = runOn(pdf, ['pdfinfo', '-struct', '{}']);
    expect([structure.match(/^ +TR$/gm)?.length, structure.match(/^ +TD$/gm)?.length]).toEqual([
      1_501, 7_500,
    ]);
    expect((await PDFDocument.load(pdf)).getPageCount()).toBe(body.pages);
  }, 60_000);
});
