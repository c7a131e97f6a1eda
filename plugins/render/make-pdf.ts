import type { FileStore } from '../../src/plugin.ts';
import type { TestMark } from '../files/contract.ts';
import type { SignatureSetting } from '../documents/contract.ts';
import type { PrintCache } from './cache/print-cache.ts';
import type { FinishPdf, StoredPdf } from './contract.ts';
import { openSigner } from './finish/open-signer.ts';
import { storeFile, storeRepeated } from './generations/store-file.ts';
import { drawImage } from './image/draw-image.ts';
import { drawLabels, type WriteZpl } from './image/draw-labels.ts';
import type { ImageSetup, LabelSetup } from './image/image-setup.ts';
import {
  preparePdf,
  printPrepared,
  type PreparedPdf,
  type UnstoredPdf,
  type PrintPdfJob,
  type PrintPdfParts,
} from './print-pdf.ts';
import { requireNoFaults } from './receipt/strict.ts';
import { RenderError, toFinishFailure } from './render-error.ts';

/** The largest PDF that operations accept. */
const MAX_INPUT_BYTES = 27_000_000;

/** The services that {@link makePdf} uses. */
export interface PdfParts extends PrintPdfParts {
  signing: SignatureSetting;
  testMark: Pick<TestMark, 'markPdf' | 'markImage'>;
  files: FileStore;
  writeZpl: WriteZpl;
  /** Absent when identical requests are always printed again. */
  cache?: PrintCache | undefined;
}

export interface PdfJob extends Omit<PrintPdfJob, 'sign'> {
  /** Set for an image in place of a PDF. */
  image?: ImageSetup | LabelSetup | undefined;
  /** The id of the generation to which the file will belong. */
  generationId: string;
  /** The id under which the file is stored. */
  fileId: string;
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
  if (image?.format === 'zpl')
    return storeFile(parts, {
      fileId,
      receipt,
      ...(await drawLabels(parts, { ...job, dpi: image.dpi })),
    });
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
  if (cached) return storeRepeated(parts, job, cached);
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

/** Fills a template that is an office file. */
async function fillFile(
  { officeDocuments }: Pick<PdfParts, 'officeDocuments'>,
  job: PdfJob,
): Promise<Uint8Array> {
  const filled = await officeDocuments.fill(job);
  // The template has been replaced by one of another format since the request was checked.
  if (!filled) throw new RenderError('TEMPLATE_ERROR', 'is not an office file', { path: 'template' });
  requireNoFaults(job.receipt, job.setup.requirements);
  return filled.file;
}

/**
 * Copies a printed PDF and releases its memory, for which other large PDFs wait.
 * @throws {RenderError} for a PDF that operations do not accept.
 */
function takeOver({ pdf, release }: Pick<UnstoredPdf, 'pdf' | 'release'>): Uint8Array {
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
