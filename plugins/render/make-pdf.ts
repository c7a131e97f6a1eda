import type { Urgency } from '@platen/runtime';
import { AppError, FilesUnavailableError, type FileStore, StoreUnavailableError } from '../../src/plugin.ts';
import { createProof, ProvenanceDraft, TEST_MARK_STEP } from '../files/exports.ts';
import type { MadePdf, ProveClaims, TestMark } from '../files/contract.ts';
import type { SignPdf, SignatureSetting, Handlebars } from '../documents/contract.ts';
import type { TemplateSource } from '../templates/contract.ts';
import { requireAccessible, type MakeAccessible } from './accessibility/make-accessible.ts';
import type { PreparedSource, PrepareAssets } from './assets/prepare-assets.ts';
import type { CachedPdf, PrintCache } from './cache/print-cache.ts';
import type { DocumentRequest, FinishPdf, PageRequest, StoredPdf } from './contract.ts';
import type { AssemblePdf } from './assemble-pdf.ts';
import { chosenLevel } from './finish/chosen-level.ts';
import { drawMark, type MarkParts } from './finish/draw-mark.ts';
import type { PrepareInvoice } from './invoice/prepare-invoice.ts';
import type { ConvertMarkdown } from './markdown/markdown.ts';
import type { ConvertToPdfa } from './pdfa.ts';
import type { ImageSetup } from './image/image-setup.ts';
import type { OfficeDocuments } from './office/office-documents.ts';
import { FIELD_LINK } from './paged/paged-media.ts';
import type { PrintSetup } from './print/print-options.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import { requireNoFaults } from './receipt/strict.ts';
import { warningsOf } from './receipt/warnings.ts';
import { RenderError, toDocumentFailure } from './render-error.ts';
import type { Printed } from './renderer.ts';
import { resolveSource, type DataNotes } from './source/source.ts';

/** The largest PDF that operations accept. */
const MAX_INPUT_BYTES = 27_000_000;

/** The services that {@link makePdf} uses. */
export interface PdfParts extends MarkParts {
  assemblePdf: AssemblePdf;
  convertToPdfa: ConvertToPdfa;
  prove: ProveClaims;
  signing: SignatureSetting;
  makeAccessible: MakeAccessible;
  prepareInvoice: PrepareInvoice;
  templates: TemplateSource | undefined;
  handlebars: Handlebars;
  convertMarkdown: ConvertMarkdown;
  prepareAssets: PrepareAssets;
  officeDocuments: OfficeDocuments;
  testMark: Pick<TestMark, 'markPdf' | 'markImage'>;
  files: FileStore;
  /** Absent when identical requests are always printed again. */
  cache?: PrintCache | undefined;
}

export interface PdfJob {
  request: PageRequest;
  accountId: string;
  urgency: Urgency;
  setup: PrintSetup;
  /** Set for an image in place of a PDF. */
  image?: ImageSetup | undefined;
  /** Whether the file is marked as one made for tests. */
  isTest: boolean;
  /** The id of the generation to which the file will belong. */
  generationId: string;
  /** The id under which the file is stored. */
  fileId: string;
  /** Records how the file was made; `undefined` when receipts are off. */
  receipt: ReceiptDraft | undefined;
  finish?: FinishPdf | undefined;
}

/** Makes a file and stores it; {@link makePdf} with its services. */
export type MakePdf = (job: PdfJob) => Promise<StoredPdf>;

/**
 * Makes a PDF, or an image, and stores it. Single requests and batches share this function.
 * @throws {RenderError} if the document cannot be made.
 * @throws {AppError} NOT_FOUND for an unknown template; RATE_LIMITED when the service is busy.
 */
export async function makePdf(parts: PdfParts, job: PdfJob): Promise<StoredPdf> {
  const { fileId, receipt, image } = job;
  if (image)
    return storeFile(parts, {
      fileId,
      receipt,
      file: await drawImage(parts, { ...job, image }),
      pages: null,
    });
  if (job.request.type !== undefined && job.request.type !== 'pdf')
    return storeFile(parts, { fileId, receipt, file: await fillFile(parts, job), pages: null });
  const sign = await openSigner(parts, job);
  const prepared = await preparePdf(parts, job);
  const key = await cacheKey(parts, job, prepared);
  const cached = key === undefined ? undefined : await parts.cache?.find(key, job.accountId);
  if (cached) return repeat(parts, job, cached);
  const { release, ...printed } = await printPrepared(parts, prepared, { ...job, sign });
  if (job.finish) {
    const pdf = takeOver({ pdf: printed.pdf, release });
    receipt?.clock.enter('assemble');
    const { pdf: file, ...made } = await job.finish({ ...printed, pdf }).catch((error: unknown) => {
      throw toFinishFailure(error);
    });
    return storeFile(parts, { fileId, receipt, file, ...made });
  }
  try {
    const { pdf: file, ...made } = printed;
    const stored = await storeFile(parts, { fileId, receipt, file, ...made });
    if (key !== undefined && receipt) {
      const { accountId, generationId } = job;
      await parts.cache?.remember(key, { accountId, generationId, receipt, sizeBytes: stored.sizeBytes });
    }
    return stored;
  } finally {
    release();
  }
}

/** Returns the key under which the cache knows a document; `undefined` for one that is always printed. */
async function cacheKey(
  { cache }: PdfParts,
  job: PdfJob,
  { request, source }: PreparedPdf,
): Promise<string | undefined> {
  const { receipt } = job;
  if (!cache || !receipt) return undefined;
  receipt.cache = 'miss';
  return source && cache.keyOf({ ...job, request, source });
}

/** Stores the PDF of an earlier, identical request as a new file. */
async function repeat(
  { files }: Pick<PdfParts, 'files'>,
  { fileId, receipt }: Pick<PdfJob, 'fileId' | 'receipt'>,
  { pdf, receipt: earlier, ...made }: CachedPdf,
): Promise<StoredPdf> {
  receipt?.clock.enter('store');
  receipt?.repeat(earlier);
  const sizeBytes = await files.put(fileId, pdf).catch((error: unknown) => {
    throw toStorageError(error);
  });
  return { fileId, sizeBytes, ...made };
}

/** Finds the certificate of the option `signature`. @throws {AppError} NOT_FOUND; VALIDATION_ERROR */
export async function openSigner(
  { signing }: Pick<PdfParts, 'signing'>,
  { accountId, request: { options } }: Pick<PdfJob, 'accountId' | 'request'>,
): Promise<SignPdf | undefined> {
  const signature = options?.signature;
  if (!signature) return undefined;
  // A batch can run after a restart with other settings.
  if (!signing.signer)
    throw new AppError('VALIDATION_ERROR', 'options.signature: needs the plugin "pdf-tools", which is off');
  return signing.signer.open(accountId, signature);
}

/**
 * Copies a printed PDF and releases its memory, for which other large PDFs wait.
 * @throws {RenderError} for a PDF that operations do not accept.
 */
function takeOver({ pdf, release }: Pick<PrintedPdf, 'pdf' | 'release'>): Uint8Array {
  try {
    if (pdf.length > MAX_INPUT_BYTES)
      throw new RenderError(
        'RENDER_FAILED',
        `the PDF has ${pdf.length} bytes, and steps accept at most ${MAX_INPUT_BYTES}`,
        { path: 'steps.0' },
      );
    return new Uint8Array(pdf);
  } finally {
    release();
  }
}

/**
 * Converts a fault that a step found to a {@link RenderError}, so that it is recorded. Returns other errors
 * unchanged.
 */
function toFinishFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  const [{ path, message } = { path: undefined, message: error.message }] = error.details;
  return new RenderError('RENDER_FAILED', message, { path, cause: error });
}

async function storeFile(
  { files }: Pick<PdfParts, 'files'>,
  {
    fileId,
    receipt,
    file,
    pages,
    claims = [],
    steps = [],
  }: Pick<PdfJob, 'fileId' | 'receipt'> &
    Pick<MadePdf, 'claims' | 'steps'> & { file: Uint8Array; pages: number | null },
): Promise<StoredPdf> {
  receipt?.clock.enter('store');
  const proof = await createProof(file, { claims, steps });
  const sizeBytes = await files.put(fileId, file).catch((error: unknown) => {
    throw toStorageError(error);
  });
  const warnings = receipt ? warningsOf(receipt.soFar()) : [];
  return { fileId, pages, sizeBytes, warnings, ...(proof && { proof }) };
}

function toStorageError(error: unknown): RenderError {
  const storage = (message: string, owner: 'dependency' | 'service') =>
    new RenderError('STORAGE_ERROR', message, { owner, cause: error });
  if (error instanceof FilesUnavailableError)
    return storage(error.diskFault ?? 'the file store cannot be reached', 'dependency');
  // The file is remembered in the database before it is stored.
  if (error instanceof StoreUnavailableError) return storage('the database cannot be reached', 'dependency');
  return storage('the file could not be stored', 'service');
}

async function drawImage(
  parts: Omit<PdfParts, 'files'>,
  { accountId, urgency, receipt, image, setup, request, isTest }: PdfJob & { image: ImageSetup },
): Promise<Uint8Array> {
  const padded = { ...request, styles: imageStyles(request) };
  const { document, assets, browser } = await resolveDocument(parts, { request: padded, accountId, receipt });
  receipt?.clock.enter('queue');
  const job = { accountId, urgency, document, setup: { ...setup, browser }, image, receipt, assets };
  const captured = await parts.renderer.capture(job);
  requireStrict(receipt, setup);
  if (!isTest) return captured.image;
  receipt?.clock.enter('assemble');
  const { format, quality } = image;
  const marked = parts.testMark.markImage(captured.image, { field: 'options.scale', format, quality });
  return marked.catch((error: unknown) => {
    throw toFinishFailure(error);
  });
}

/** @throws {RenderError} with all faults that the options of the document do not allow. */
function requireStrict(receipt: ReceiptDraft | undefined, { requirements }: PrintSetup): void {
  if (receipt && requirements) requireNoFaults(receipt.soFar(), receipt.page, requirements);
}

/**
 * Adds a margin to Markdown, whose default style leaves it to the paper. The styles of the caller take
 * precedence.
 */
function imageStyles({ source, styles = '' }: DocumentRequest): string | undefined {
  return 'markdown' in source ? `${styles}\n:where(body) { padding: 32px }` : styles || undefined;
}

/** Fills a template that is an office file. */
async function fillFile(
  { officeDocuments }: Pick<PdfParts, 'officeDocuments'>,
  job: PdfJob,
): Promise<Uint8Array> {
  const filled = await officeDocuments.fill(job);
  // The template has been replaced by one of another format since the request was checked.
  if (!filled) throw new RenderError('TEMPLATE_ERROR', 'is no office file', { path: 'template' });
  requireStrict(job.receipt, job.setup);
  return filled.file;
}

/** A document to print: the filled file of an office template, or a source for the browser. */
interface PreparedPdf {
  request: PageRequest;
  invoice: Awaited<ReturnType<PrepareInvoice>>['invoice'];
  filled: Awaited<ReturnType<OfficeDocuments['fill']>>;
  source: PreparedSource | undefined;
}

async function preparePdf(
  parts: Omit<PdfParts, 'files'>,
  { request: received, ...job }: Pick<PdfJob, 'request' | 'accountId' | 'urgency' | 'receipt' | 'setup'>,
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
  parts: Omit<PdfParts, 'files'>,
  { request, filled, source }: PreparedPdf,
  { setup: given, ...job }: Pick<PdfJob, 'accountId' | 'urgency' | 'receipt' | 'setup'>,
): Promise<Omit<Printed, 'documentClass'> & { setup: PrintSetup; isOffice: boolean }> {
  const { accountId, urgency, receipt } = job;
  if (filled) {
    requireStrict(receipt, given);
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

/** Resolves the source of a document, and prepares it for the assets of its account. */
export async function resolveDocument(
  parts: Omit<PdfParts, 'files'>,
  { request, accountId, receipt }: Pick<PdfJob, 'request' | 'accountId' | 'receipt'>,
): Promise<PreparedSource> {
  receipt?.clock.enter('template');
  if (receipt) receipt.hasNoData = 'html' in request.source && request.data === undefined;
  const notes: DataNotes = receipt ?? { noteMismatches() {}, noteMissingVariables() {} };
  const resolved = await resolveSource({ ...request, accountId }, parts, notes);
  return parts.prepareAssets(accountId, resolved);
}

/** A PDF that is not stored yet. */
interface PrintedPdf extends MadePdf {
  release: Printed['release'];
}

/** The job of a PDF that is not stored. */
type UnstoredJob = Omit<PdfJob, 'fileId' | 'generationId'> & { sign?: SignPdf | undefined };

/**
 * Makes a PDF without storing it. Without `sign`, it is not signed. Call `release` when the PDF is no longer
 * needed.
 * @throws like {@link makePdf}.
 */
export async function printPdf(parts: Omit<PdfParts, 'files'>, job: UnstoredJob): Promise<PrintedPdf> {
  return printPrepared(parts, await preparePdf(parts, job), job);
}

async function printPrepared(
  parts: Omit<PdfParts, 'files'>,
  prepared: PreparedPdf,
  { accountId, urgency, receipt, sign, isTest, ...job }: Omit<UnstoredJob, 'request'>,
): Promise<PrintedPdf> {
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
    requireStrict(receipt, setup);
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
