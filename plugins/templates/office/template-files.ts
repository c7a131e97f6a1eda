import {
  explainTaskFailure,
  FileNotFoundError,
  invalid,
  isRawFile,
  LINK_LIFETIME_MS,
  newId,
  notFound,
  type FileStore,
  type FileValue,
  type TaskClient,
} from '../../../src/plugin.ts';
import type { OfficeFormat } from '@platen/office-templates';
import type { TemplateFile, TemplateFormat, UploadedTemplateFile } from '../contract.ts';

/** The files of templates. A file never changes; a content of a template names it. */
export interface TemplateFiles {
  /** See `TemplatesService.checkFile`. */
  check(file: FileValue): Promise<TemplateFormat>;
  /** See `TemplatesService.receiveFile`. */
  receive(file: FileValue): Promise<UploadedTemplateFile>;
  /** Stores a copy of a file of a format. @throws {AppError} NOT_FOUND if it was just deleted */
  copy(file: TemplateFile, format: OfficeFormat): Promise<UploadedTemplateFile>;
  /** Reads a file; `null` if it was just deleted. */
  read(file: TemplateFile): Promise<Uint8Array | null>;
  /** Returns a link to a file, valid for 30 days. */
  link(file: TemplateFile, fileName: string): Promise<string>;
}

const TIMEOUT_MS = 10_000;

const FAILURES = {
  path: 'file',
  deadline: `reading the file takes longer than ${TIMEOUT_MS / 1000} s`,
  memory: 'reading the file exceeds the memory limit',
  waiting: 'files',
  failed: 'the file could not be read',
};

export function createTemplateFiles({
  files,
  tasks,
}: {
  files: FileStore;
  tasks: TaskClient<typeof import('./tasks.ts')>;
}): TemplateFiles {
  async function inspect(file: FileValue) {
    const result = await tasks.inspectFile({ file }, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
      throw explainTaskFailure(error, FAILURES);
    });
    if (!result.ok) throw invalid('file', result.message);
    return result.value;
  }

  return {
    check: async (file) => (await inspect(file)).format,
    async receive(file) {
      const { format, hash, decoded } = await inspect(file);
      const bytes = isRawFile(file) ? file.raw : decoded;
      if (!bytes) throw new Error('the task did not return the decoded file');
      const fileId = newId(`file_${format}_`);
      const sizeBytes = await files.put(fileId, bytes);
      return { format, fileId, hash, sizeBytes };
    },
    async copy({ fileId: sourceId, hash }, format) {
      const fileId = newId(`file_${format}_`);
      try {
        const sizeBytes = await files.put(fileId, (await files.get(sourceId)).stream);
        return { format, fileId, hash, sizeBytes };
      } catch (error) {
        throw error instanceof FileNotFoundError ? notFound('template') : error;
      }
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
    link: ({ fileId }, fileName) =>
      files.link(fileId, { expiresAt: Date.now() + LINK_LIFETIME_MS, fileName }),
  };
}
