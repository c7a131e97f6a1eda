import type { Urgency } from '@platen/runtime';
import { ProvenanceDraft, TEST_MARK_STEP } from '../files/exports.ts';
import type { MadePdf, ProveClaims, TestMark } from '../files/contract.ts';
import type { SignPdf } from '../documents/contract.ts';
import { requireAccessible, type MakeAccessible } from './accessibility/make-accessible.ts';
import type { AssemblePdf } from './assemble-pdf.ts';
import type { PreparedSource } from './assets/prepare-assets.ts';
import type { PageRequest } from './contract.ts';
import { chosenLevel } from './finish/chosen-level.ts';
import { drawMark, type MarkParts } from './finish/draw-mark.ts';
import type { PrepareInvoice } from './invoice/prepare-invoice.ts';
import type { OfficeDocuments } from './office/office-documents.ts';
import { FIELD_LINK } from './paged/signature-fields.ts';
import type { ConvertToPdfa } from './pdfa.ts';
import type { PrintSetup } from './print/print-options.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import { requireNoFaults } from './receipt/strict.ts';
import { toDocumentFailure, toFinishFailure } from './render-error.ts';
import type { Printed } from './renderer.ts';
import { resolveDocument, type DocumentParts } from './source/resolve-document.ts';

/** The services that {@link printPdf} uses. */
export interface PrintPdfParts extends MarkParts, DocumentParts {
  assemblePdf: AssemblePdf;
  convertToPdfa: ConvertToPdfa;
  prove: ProveClaims;
  makeAccessible: MakeAccessible;
  prepareInvoice: PrepareInvoice;
  officeDocuments: OfficeDocuments;
  testMark: Pick<TestMark, 'markPdf'>;
}

export interface PrintPdfJob {
  request: PageRequest;
  accountId: string;
  urgency: Urgency;
  setup: PrintSetup;
  /** Whether the file is marked as one made for tests. */
  isTest: boolean;
  /** Records how the file was made; `undefined` when receipts are off. */
  receipt: ReceiptDraft | undefined;
  /** The PDF is not signed when absent. */
  sign?: SignPdf | undefined;
}

/** A document to print: the filled file of an office template, or a source for the browser. */
export interface PreparedPdf {
  request: PageRequest;
  invoice: Awaited<ReturnType<PrepareInvoice>>['invoice'];
  filled: Awaited<ReturnType<OfficeDocuments['fill']>>;
  source: PreparedSource | undefined;
}

/** Does everything that comes before printing. @throws like {@link printPdf}. */
export async function preparePdf(
  parts: PrintPdfParts,
  { request: received, ...job }: Pick<PrintPdfJob, 'request' | 'accountId' | 'urgency' | 'receipt' | 'setup'>,
): Promise<PreparedPdf> {
  job.receipt?.clock.enter('template');
  const { request, invoice } = await parts.prepareInvoice(received);
  const resolving = Object.assign(job, { request });
  const filled = await parts.officeDocuments.fill(resolving);
  const source = filled ? undefined : await resolveDocument(parts, resolving);
  return { request, invoice, filled, source };
}

/** Prints a document in the browser, or with LibreOffice if its template is an office file. */
async function print(
  parts: PrintPdfParts,
  { request, filled, source }: PreparedPdf,
  { setup: given, ...job }: Pick<PrintPdfJob, 'accountId' | 'urgency' | 'receipt' | 'setup'>,
): Promise<Omit<Printed, 'documentClass'> & { setup: PrintSetup; isOffice: boolean }> {
  const { accountId, urgency, receipt } = job;
  if (filled) {
    requireNoFaults(receipt, given.requirements);
    const made = await parts.officeDocuments.print({ ...job, request }, filled);
    const pdf = Buffer.from(made.pdf.buffer, made.pdf.byteOffset, made.pdf.length);
    return {
      pdf,
      pages: made.pages,
      overlays: [],
      order: undefined,
      accessibility: undefined,
      release() {},
      setup: given,
      isOffice: true,
    };
  }
  if (!source) throw new TypeError('the document was not prepared');
  const { document, assets, ...headersAndFooters } = source;
  receipt?.clock.enter('queue');
  const setup = { ...given, ...headersAndFooters };
  const printed = await parts.renderer.print({ accountId, urgency, document, setup, receipt, assets });
  return { ...printed, setup, isOffice: false };
}

/** A PDF that is not stored yet. Call `release` when it is no longer needed. */
export interface UnstoredPdf extends MadePdf {
  release: Printed['release'];
}

/**
 * Makes a PDF without storing it.
 * @throws {RenderError} if the document cannot be made.
 * @throws {AppError} NOT_FOUND for an unknown template; RATE_LIMITED when the service is busy.
 */
export async function printPdf(parts: PrintPdfParts, job: PrintPdfJob): Promise<UnstoredPdf> {
  return printPrepared(parts, await preparePdf(parts, job), job);
}

/** Prints and completes a prepared document. @throws like {@link printPdf}. */
export async function printPrepared(
  parts: PrintPdfParts,
  prepared: PreparedPdf,
  { accountId, urgency, receipt, sign, isTest, ...job }: Omit<PrintPdfJob, 'request'>,
): Promise<UnstoredPdf> {
  const { assemblePdf, convertToPdfa, makeAccessible, prove } = parts;
  const { request, invoice } = prepared;
  const options = request.options ?? {};
  const { pdfa, outline = false, watermark: mark, attachments, properties, protect } = options;

  const printed = await print(parts, prepared, { accountId, urgency, receipt, setup: job.setup });
  const { pages, release, overlays, order, setup, accessibility: page } = printed;
  const untag = outline && !page && !printed.isOffice && !setup.page?.tagged;
  // An accessible PDF is encrypted at the end, once its tags are complete, and a test document once it is
  // marked.
  const lateProtect = page || isTest ? protect : undefined;
  const earlyProtect = lateProtect ? undefined : protect;
  const provenance = new ProvenanceDraft(prove);
  provenance.add('print');
  let pdf: Uint8Array = printed.pdf;
  try {
    requireNoFaults(receipt, setup.requirements);
    if (page && options.accessible === true) requireAccessible(page);
    const signatureFields = printed.pdf.includes(FIELD_LINK);
    if (
      overlays.length > 0 ||
      order ||
      untag ||
      mark ||
      attachments ||
      properties ||
      earlyProtect ||
      signatureFields
    ) {
      const watermark = mark && (await drawMark(parts, { watermark: mark, accountId, urgency }));
      receipt?.clock.enter('assemble');
      const finish = { watermark, attachments, properties, protect: earlyProtect, signatureFields };
      pdf = await assemblePdf({ pdf, overlays, order, untag, ...finish });
      provenance.add('assemble');
    }
    const level = chosenLevel(pdfa, { hasInvoice: invoice !== undefined });
    if (level !== undefined) {
      receipt?.clock.enter('archive');
      const converted = await convertToPdfa(pdf, level, invoice);
      ({ pdf } = converted);
      provenance.add(invoice ? 'invoice' : 'pdfa', converted.claims);
    }
    if (page) {
      receipt?.clock.enter('tag');
      const made = await makeAccessible({ pdf, page, options });
      ({ pdf } = made);
      receipt?.noteAccessibility(made.report);
      provenance.add('accessible', made.claims);
    }
    if (isTest) {
      receipt?.clock.enter('assemble');
      pdf = await parts.testMark.markPdf(pdf).catch((error: unknown) => {
        throw toFinishFailure(error);
      });
      provenance.add(TEST_MARK_STEP);
    }
    if (lateProtect) {
      pdf = await assemblePdf({ pdf, protect: lateProtect });
      provenance.add('protect');
    }
    if (sign) {
      receipt?.clock.enter('assemble');
      const signed = await sign(pdf).catch((error: unknown) => {
        throw toFinishFailure(error);
      });
      ({ pdf } = signed);
      provenance.add('sign', signed.claims);
    }
    const confirmed = await provenance.confirm(pdf).catch((error: unknown) => {
      throw toDocumentFailure(error);
    });
    return { pdf, pages, release, ...confirmed };
  } catch (error) {
    release();
    throw error;
  }
}
