import { FileNotFoundError, newFileId, type FileStore, type FileValue } from '../../src/plugin.ts';
import type { FilesService } from '../files/contract.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../files/exports.ts';
import type { AcceptedPages, CaseInput } from './contract.ts';
import type { Tasks } from './tasks-client.ts';

/** The maximum number of pages of a case. */
export const MAX_PAGES = 300;

/** Stores accepted pages as PDFs, so that both sides of a comparison are drawn by the same program. */
export interface AcceptedPagesStore {
  /**
   * Checks and stores the PDF that a request sends.
   * @throws {AppError} VALIDATION_ERROR that names `accepted`; NOT_FOUND for an unknown id
   */
  receive(
    request: { account: { id: string }; reserveMemory: (bytes: number) => void },
    accepted: NonNullable<CaseInput['accepted']>,
  ): Promise<AcceptedPages>;
  /** Stores a PDF that was printed. */
  store(pdf: Uint8Array, facts: Omit<AcceptedPages, 'fileId' | 'sizeBytes' | 'at'>): Promise<AcceptedPages>;
  /** Reads the PDF; `null` if it was just replaced or deleted. */
  read(accepted: AcceptedPages): Promise<Uint8Array | null>;
}

export function openAcceptedPages({
  files,
  pdfFiles,
  tasks,
}: {
  files: FileStore;
  pdfFiles: Pick<FilesService, 'loadField'>;
  tasks: Pick<Tasks, 'readAccepted'>;
}): AcceptedPagesStore {
  const store: AcceptedPagesStore['store'] = async (pdf, facts) => {
    const fileId = newFileId('application/pdf');
    const sizeBytes = await files.put(fileId, pdf);
    return { ...facts, fileId, sizeBytes, at: Date.now() };
  };
  return {
    store,
    async receive(request, given) {
      const pdf: FileValue = await pdfFiles.loadField(request, 'accepted', given);
      const call = tasks.readAccepted({ pdf, maxPages: MAX_PAGES }, pdfTaskLimits);
      const { pdf: bytes, ...facts } = await unwrapTaskResult('accepted', call);
      return store(bytes, { ...facts, version: null, warnings: null });
    },
    async read({ fileId }) {
      try {
        const { stream } = await files.get(fileId);
        return await new Response(stream).bytes();
      } catch (error) {
        if (error instanceof FileNotFoundError) return null;
        throw error;
      }
    },
  };
}
