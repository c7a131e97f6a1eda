import { createHash } from 'node:crypto';
import { checkOfficeTemplate, type OfficeFormat } from '@platen/office-templates';
import { decodeDataUrl } from '@platen/pdf/base64';
import type { FileValue, TaskResult } from '../../../src/plugin.ts';
import { MAX_FILE_BYTES } from './limits.ts';

// The functions in this file run in the sandbox.

/** A file that can be a template. */
export interface InspectedFile {
  format: OfficeFormat;
  /** The SHA-256 of the bytes in hexadecimal digits. */
  hash: string;
  /** The content, if it was sent as text; `undefined` if it was sent as bytes. */
  decoded: Uint8Array | undefined;
}

/** Reads an uploaded file, and checks that its tags compile. */
export function inspectFile({ file }: { file: FileValue }): TaskResult<InspectedFile> {
  const isText = typeof file === 'string' || file instanceof Uint8Array;
  const content = isText ? decodeDataUrl(file) : file.raw;
  const refuse = (message: string) => ({ ok: false as const, code: 'INVALID_INPUT', message });
  if (!content) return refuse('is not base64');
  if (content.length === 0) return refuse('is empty');
  if (content.length > MAX_FILE_BYTES)
    return refuse(`has ${content.length} bytes; a template has at most ${MAX_FILE_BYTES}`);
  const checked = checkOfficeTemplate(content);
  if (!checked.ok) return refuse(checked.message);
  const hash = createHash('sha256').update(content).digest('hex');
  return { ok: true, value: { ...checked.value, hash, decoded: isText ? content : undefined } };
}
