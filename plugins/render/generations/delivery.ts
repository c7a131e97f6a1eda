import {
  FileNotFoundError,
  LINK_LIFETIME_MS,
  notFound,
  rememberStored,
  type FileStore,
} from '../../../src/plugin.ts';
import type { DeliveredGeneration, Generation, LinkedGeneration } from '../contract.ts';

/** Hands out the documents of generations. */
export interface Delivery {
  /** Adds a link to the document, which ends with the generation at the latest. */
  readonly link: (generation: Generation) => Promise<LinkedGeneration>;
  /** Adds the document in the form that the request asked for. Memory is reserved before it is read. */
  readonly deliver: (
    generation: Generation,
    reserveMemory?: (bytes: number) => void,
  ) => Promise<DeliveredGeneration>;
  /** Reads the document. @throws {AppError} NOT_FOUND if the generation has no document */
  readonly readPdf: (generation: Generation) => Promise<Uint8Array>;
}

export function createDelivery(files: Pick<FileStore, 'get' | 'link'>): Delivery {
  async function link(generation: Generation): Promise<LinkedGeneration> {
    const { fileId, fileName, status } = generation;
    if (fileId === null || status !== 'completed') return { generation, url: null };
    const expiresAt = Math.min(
      Date.now() + LINK_LIFETIME_MS,
      generation.expiresAt ?? Number.POSITIVE_INFINITY,
    );
    return { generation, url: await files.link(fileId, { expiresAt, fileName }) };
  }

  async function readPdf({ fileId, status }: Generation): Promise<Uint8Array> {
    if (status !== 'completed' || fileId === null) throw notFound('file');
    const { stream } = await files.get(fileId).catch((error: unknown) => {
      throw error instanceof FileNotFoundError ? notFound('file') : error;
    });
    const bytes = await new Response(stream).bytes();
    rememberStored(bytes, fileId);
    return bytes;
  }

  return {
    link,
    readPdf,
    async deliver(generation, reserveMemory = () => {}) {
      const { fileId, output, status, sizeBytes } = generation;
      if (output === 'url' || status !== 'completed' || fileId === null) return link(generation);
      reserveMemory(sizeBytes ?? 0);
      return { generation, data: await readPdf(generation) };
    },
  };
}
