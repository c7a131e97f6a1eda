import { expect, test } from 'bun:test';
import { openWithReaders } from '../../support/pdf/open-results.ts';
import { describeWithPdfTools } from '../../support/pdf/pdf.ts';
import { encryptedPdfs, lockedPdfs, oddLayouts, oddTrees, type OddPdf } from '../../support/pdf/odd-pdfs.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { isThorough } from '../../support/suite.ts';
import { documentedOperations, OPERATION_REQUESTS, soundPdf } from '../../support/pdf/operation-requests.ts';

const service = extendedService();

/** The operations that return PDFs, except those that need a password. */
const RETURNS_PDF = new Set(
  documentedOperations()
    .filter(({ name, mediaTypes }) => mediaTypes.includes('application/pdf') || name === 'split')
    .map(({ name }) => name),
);

/** The operations that only read a PDF unless a field asks for a change. */
const READS_TOO = new Set(['attachments', 'outline', 'properties']);

const requests = Object.entries(OPERATION_REQUESTS).flatMap(([operation, bodies]) =>
  bodies.map((body, index) => ({ operation, index, body })),
);

/**
 * Sends a file to an operation. Returns the PDFs of its result, or `undefined` if the operation rejects the
 * file.
 */
async function resultsOf(
  operation: string,
  body: object,
): Promise<{ pdfs: Buffer[]; pages: number | undefined } | undefined> {
  const returnsPdf =
    RETURNS_PDF.has(operation) &&
    (!READS_TOO.has(operation) || ['add', 'remove', 'set'].some((key) => key in body));
  const output = returnsPdf ? { output: 'base64' } : {};
  const { status, body: answer } = await service().post(`/v1/pdf/${operation}`, { ...body, ...output });
  if (status !== 200) {
    expect([operation, status, answer.error?.code]).toEqual([operation, 400, 'VALIDATION_ERROR']);
    return undefined;
  }
  if (!returnsPdf || operation === 'protect') return { pdfs: [], pages: undefined };
  const files: { data: string }[] = answer.parts ?? (answer.data === undefined ? [] : [answer]);
  const pdfs = files.map(({ data }) => Buffer.from(data, 'base64'));
  return { pdfs, pages: answer.pages };
}

/** Sends a file to operations. Returns the operations that reject it, and expects all results to open. */
async function expectResultsToOpen(pdf: Buffer, chosen: typeof requests): Promise<string[]> {
  const faults: unknown[] = [];
  const rejected: string[] = [];
  const encoded = base64(pdf);
  for (const { operation, index, body } of chosen) {
    const results = await resultsOf(operation, body(encoded));
    if (!results) rejected.push(operation);
    for (const result of results?.pdfs ?? []) {
      // An operation that has nothing to do returns the caller's file.
      if (result.equals(pdf)) continue;
      const readings = await openWithReaders(result);
      const [pages] = Object.values(readings);
      const expected = typeof results?.pages === 'number' ? results.pages : pages;
      const agree = typeof pages === 'number' && Object.values(readings).every((read) => read === expected);
      if (!agree) faults.push({ operation, index, expected, ...readings });
    }
  }
  expect(faults).toEqual([]);
  return rejected;
}

/**
 * In `npm test`, every fortieth file gets every tenth request; in the thorough suite, every file gets every
 * sixth one. The first request differs from file to file, so that all requests meet all kinds of files.
 */
const [FILE_STEP, REQUEST_STEP] = isThorough ? [1, 6] : [40, 10];

const casesOf = (files: readonly OddPdf[]) =>
  files.flatMap(({ name, make }, index) => {
    const chosen = requests.filter((_, number) => (number + index / FILE_STEP) % REQUEST_STEP === 0);
    return index % FILE_STEP === 0 ? [[name, make, chosen] as const] : [];
  });

describeWithPdfTools('the result of every operation opens in Platen, PDFium and qpdf:', () => {
  test.each(casesOf(oddLayouts(soundPdf)))(
    '%s',
    async (_, make, chosen) => {
      expect(await expectResultsToOpen(make(), chosen)).toEqual([]);
    },
    120_000,
  );

  test.each(casesOf(encryptedPdfs(soundPdf)))(
    '%s',
    async (name, make, chosen) => {
      const rejected = await expectResultsToOpen(make(), chosen);
      // PDFium opens no file whose strings and streams have different filters.
      const isMixed = /streams in the clear|strings in the clear/.test(name);
      if (!isMixed)
        expect(rejected.filter((operation) => !['protect', 'unlock'].includes(operation))).toEqual([]);
    },
    120_000,
  );

  const trees = oddTrees()
    .map(({ name, pages, make }, index) => [name, pages, make, index] as const)
    .filter(([, , , index]) => isThorough || index % 8 === 0);
  test.each(trees)(
    'a page tree with %s',
    async (_, pages, make, index) => {
      const pdf = make();
      // These files have no attachments to remove or to extract.
      const chosen = requests.filter(
        ({ operation }, number) => operation !== 'attachments' && (number + index) % REQUEST_STEP === 0,
      );
      expect(await expectResultsToOpen(pdf, chosen)).toEqual([]);
      const read = async (operation: string, fields = {}) =>
        (await service().post(`/v1/pdf/${operation}`, { pdf: base64(pdf), ...fields })).body;
      expect((await read('info')).pages).toBe(pages);
      expect((await read('text', { format: 'json' })).pages).toHaveLength(pages);
      const { data } = await read('properties', { set: { title: 'x' }, output: 'base64' });
      const changed = await openWithReaders(Buffer.from(data, 'base64'));
      expect(changed).toEqual({ platen: pages, pdfium: pages, qpdf: pages });
    },
    120_000,
  );

  // The samples of an encryption without a file identifier, which the operations below used to destroy.
  test('an operation that appends to an encrypted file keeps its key', async () => {
    const appending = new Set([
      'attachments',
      'flatten',
      'forms/add-fields',
      'forms/fill',
      'outline',
      'properties',
    ]);
    const chosen = requests.filter(({ operation }) => appending.has(operation));
    for (const { name, make } of encryptedPdfs(soundPdf))
      if (name.endsWith('bits, ID: missing, a table'))
        expect(await expectResultsToOpen(make(), chosen)).toEqual([]);
  }, 60_000);

  test('a file with a user password is rejected by every operation except unlock', async () => {
    const locked = lockedPdfs(soundPdf, 'open').filter(({ name }) => !name.includes('only attachments'));
    const chosen = isThorough ? requests : requests.filter(({ operation }) => operation === 'unlock');
    const others = chosen.filter(({ operation }) => operation !== 'unlock').map(({ operation }) => operation);
    for (const { make } of locked) expect(await expectResultsToOpen(make(), chosen)).toEqual(others);
  }, 300_000);
});
