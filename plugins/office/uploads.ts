import { documentMediaTypes, isRawFile } from '../../src/plugin.ts';
import type { AcceptUpload } from '../files/contract.ts';
import type { OfficeService } from './contract.ts';

/** Types whose content does not tell them, so that the name of the upload must. */
const NAMED_TYPES = ['txt', 'csv', 'tsv'];
/** The images that are stored, in addition to office documents. */
const IMAGE_TYPES = ['png', 'jpeg'];
const MAX_UPLOAD_BYTES = 27_000_000;

/** Creates the check for uploads to `POST /v1/files` that are no PDFs. */
export function createUploadCheck(office: Pick<OfficeService, 'inspect'>): AcceptUpload {
  return async ({ file, fileName }) => {
    const { type, content } = await office.inspect({ file, fileName });
    if (!documentMediaTypes.has(type) && !IMAGE_TYPES.includes(type)) return undefined;
    if (NAMED_TYPES.includes(type) && fileName?.toLowerCase().endsWith(`.${type}`) !== true) return undefined;
    const bytes = content ?? (isRawFile(file) ? file.raw : undefined);
    return bytes && bytes.length <= MAX_UPLOAD_BYTES ? { type, content: bytes } : undefined;
  };
}
