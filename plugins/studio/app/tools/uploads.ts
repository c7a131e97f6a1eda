import { send } from '../data/api.ts';
import { fileNameOf } from './file-name.ts';

/** A PDF that was uploaded for an operation. */
export interface UploadedFile {
  id: string;
  name: string;
  pages: number | null;
  size: number;
}

/** How long uploads are kept, which is long enough to work with them. */
const KEPT_SECONDS = 3600;

/** Uploads a PDF. It is deleted after an hour. @throws {ApiError} when the file is not a PDF or is too large */
export async function upload(file: File): Promise<UploadedFile> {
  const form = new FormData();
  form.set('file', file);
  form.set('file_name', fileNameOf(file.name, undefined));
  form.set('expires_in', String(KEPT_SECONDS));
  const response = await send('POST', '/v1/files', form);
  const { id, pages, file_size } = (await response.json()) as {
    id: string;
    pages: number | null;
    file_size: number;
  };
  return { id, name: file.name, pages, size: file_size };
}
