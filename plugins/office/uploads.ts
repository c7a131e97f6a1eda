import { AppError, isRawFile } from '../../src/plugin.ts';
import type { AcceptUpload } from '../files/contract.ts';
import type { OfficeService } from './contract.ts';
import { NO_DOCUMENT, TYPES } from './document/types.ts';

const MAX_UPLOAD_BYTES = 27_000_000;
const STORED_FAMILY = /^(?:ooxml|odf)-|^(?:doc|xls|ppt|vsd|pub|rtf|text|png|jpeg)$/;

/**
 * The types that can be stored. Types whose content a browser would run, such as SVG and HTML, are not among
 * them.
 */
export const STORED_TYPES: ReadonlySet<string> = new Set(
  Object.entries(TYPES).flatMap(([type, { family }]) => (STORED_FAMILY.test(family) ? [type] : [])),
);

/** Creates the check for uploads to `POST /v1/files` that are no PDFs. */
export function createUploadCheck(office: Pick<OfficeService, 'inspect'>): AcceptUpload {
  return async ({ file, fileName }) => {
    const inspected = await office.inspect({ file, fileName }).catch((error: unknown) => {
      if (isNoDocument(error)) return undefined;
      throw error;
    });
    if (!inspected) return undefined;
    const { type, content } = inspected;
    if (!STORED_TYPES.has(type)) return undefined;
    // The content of a text does not tell its type, so its name must.
    if (TYPES[type]?.isText && fileName?.toLowerCase().endsWith(`.${type}`) !== true) return undefined;
    const bytes = content ?? (isRawFile(file) ? file.raw : undefined);
    return bytes && bytes.length <= MAX_UPLOAD_BYTES ? { type, content: bytes } : undefined;
  };
}

function isNoDocument(error: unknown): boolean {
  const [detail] = error instanceof AppError && error.code === 'VALIDATION_ERROR' ? error.details : [];
  return Object.values<string | undefined>(NO_DOCUMENT).includes(detail?.message);
}
