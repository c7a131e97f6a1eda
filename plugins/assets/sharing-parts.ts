import {
  AppError,
  FileNotFoundError,
  type Collection,
  type FileStore,
  type TaskClient,
} from '../../src/plugin.ts';
import type { Asset, PublishedAsset } from './contract.ts';
import type { AssetsService } from './service.ts';

/** How long a task may read references. */
export const REFERENCE_TIMEOUT_MS = 5_000;

/** The failures of tasks that read references. */
export const REFERENCE_FAILURES = {
  path: 'id',
  deadline: `finding the assets of the template takes longer than ${REFERENCE_TIMEOUT_MS} ms`,
  memory: 'finding the assets of the template exceeds the memory limit',
  waiting: 'templates',
  failed: 'the assets of the template could not be found',
};

export interface SharingParts {
  assets: Collection<Asset>;
  publishedAssets: Collection<PublishedAsset>;
  files: FileStore;
  tasks: TaskClient<typeof import('./tasks.ts')>;
  service: AssetsService;
  /** How many bytes the published assets of an account may have together. */
  maxAccountBytes: number;
}

/** Reads a file that fits into memory. @throws {AppError} UNAVAILABLE when it has been replaced. */
export async function readBytes(files: FileStore, fileId: string): Promise<Uint8Array> {
  try {
    return await new Response((await files.get(fileId)).stream).bytes();
  } catch (error) {
    if (!(error instanceof FileNotFoundError)) throw error;
    throw new AppError('UNAVAILABLE', 'the assets of the template are being changed by another request', {
      retryAfterSeconds: 1,
    });
  }
}
