import { send } from '../data/api.ts';
import { cleanName, fileNameOf } from './file-name.ts';

/** A PDF that was uploaded for an operation. */
export interface UploadedFile {
  id: string;
  name: string;
  pages: number | null;
  size: number;
}

/** How long the uploads of a tool are kept, which is long enough to work with them. */
export const TOOL_UPLOAD_SECONDS = 3600;

/**
 * Uploads a PDF, or a file that keeps its type. It is deleted after the given time, or by the rules of the
 * plan.
 * @throws {ApiError} when the file is not a PDF or is too large
 */
export async function upload(file: File, keptSeconds?: number, keepsType = false): Promise<UploadedFile> {
  const form = new FormData();
  form.set('file', file);
  form.set('file_name', keepsType ? cleanName(file.name) : fileNameOf(file.name, undefined));
  if (keptSeconds !== undefined) form.set('expires_in', String(keptSeconds));
  const response = await send('POST', '/v1/files', form);
  const { id, pages, file_size } = (await response.json()) as {
    id: string;
    pages: number | null;
    file_size: number;
  };
  return { id, name: file.name, pages, size: file_size };
}
