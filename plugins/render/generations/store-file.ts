import { FilesUnavailableError, StoreUnavailableError, type FileStore } from '../../../src/plugin.ts';
import { createProof } from '../../files/exports.ts';
import type { MadePdf } from '../../files/contract.ts';
import type { CachedPdf } from '../cache/print-cache.ts';
import type { StoredPdf } from '../contract.ts';
import type { ReceiptDraft } from '../receipt/receipt.ts';
import { warningsOf } from '../receipt/warnings.ts';
import { RenderError } from '../render-error.ts';

interface StoreParts {
  files: FileStore;
}

/** The file of a generation, and the receipt of the generation. */
interface Destination {
  fileId: string;
  receipt: ReceiptDraft | undefined;
}

/** Stores a file that was just made. @throws {RenderError} STORAGE_ERROR */
export async function storeFile(
  { files }: StoreParts,
  {
    fileId,
    receipt,
    file,
    pages,
    claims = [],
    steps = [],
  }: Destination & Pick<MadePdf, 'claims' | 'steps'> & { file: Uint8Array; pages: number | null },
): Promise<StoredPdf> {
  receipt?.clock.enter('store');
  const proof = await createProof(file, { claims, steps });
  const sizeBytes = await files.put(fileId, file).catch((error: unknown) => {
    throw toStorageError(error);
  });
  const warnings = receipt ? warningsOf(receipt.soFar()) : [];
  return { fileId, pages, sizeBytes, warnings, ...(proof && { proof }) };
}

/** Stores the PDF of an earlier, identical request as a new file. @throws {RenderError} STORAGE_ERROR */
export async function storeRepeated(
  { files }: StoreParts,
  { fileId, receipt }: Destination,
  { pdf, receipt: earlier, ...made }: CachedPdf,
): Promise<StoredPdf> {
  receipt?.clock.enter('store');
  receipt?.repeat(earlier);
  const sizeBytes = await files.put(fileId, pdf).catch((error: unknown) => {
    throw toStorageError(error);
  });
  return { fileId, sizeBytes, ...made };
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
