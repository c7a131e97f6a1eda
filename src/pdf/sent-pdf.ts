import type { TaskResult } from '../tools/task.ts';
import { decodeBase64 } from './base64.ts';
import { PdfDocument } from './document.ts';
import { PdfError } from './errors.ts';

/** A PDF as a caller sent it: base64, as a string or as the bytes of one. */
export type SentPdf = string | Uint8Array;

/** The largest PDF that is taken, decoded. */
const MAX_PDF_BYTES = 27_000_000;

/** The beginning of a data URL (RFC 2397), of any case, with parameters or without; in a long text slashes may be escaped. */
const DATA_URL = /^\s*data:application\\?\/pdf(?:;[^;,]+)*;base64,/i;
const DATA_URL_LENGTH = 300;

/** What a caller got wrong: the field, and what is wrong with it. */
export class InputFault extends Error {
  override name = 'InputFault';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Runs a task; what the caller got wrong becomes a result, because errors lose their class on the way to the service. */
export function answer<T>(work: () => T): TaskResult<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return { ok: false, code: 'VALIDATION_ERROR', message: error.message, part: error.field };
  }
}

/** As {@link answer}, for work that takes turns. */
export async function answerLater<T>(work: () => Promise<T>): Promise<TaskResult<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return answer<T>(() => {
      throw error;
    });
  }
}

/** Decodes what a caller sent in base64, with the prefix of a data URL or without. @throws {InputFault} naming the field. */
export function decodeInput(base64: SentPdf, field: string): Uint8Array {
  return forField(field, () => decode(base64));
}

/** Opens what a caller sent in base64, with the prefix of a data URL or without. @throws {InputFault} naming the field. */
export function openInput(base64: SentPdf, field: string): PdfDocument {
  return forField(field, () => PdfDocument.open(decode(base64)));
}

/** Puts a field's name to what is wrong with its file. */
export function forField<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PdfError ? new InputFault(field, error.message) : error;
  }
}

function decode(sent: SentPdf): Uint8Array {
  const base64 =
    typeof sent === 'string'
      ? Buffer.from(sent, 'latin1')
      : Buffer.from(sent.buffer, sent.byteOffset, sent.length);
  const [prefix = ''] = DATA_URL.exec(base64.toString('latin1', 0, DATA_URL_LENGTH)) ?? [];
  const text = base64.subarray(prefix.length);
  if (/^\s*$/.test(text.toString('latin1', 0, 1000)))
    throw new PdfError('not-a-pdf', 'is empty; send a PDF in base64');
  if (text.toString('latin1', 0, 5).toLowerCase() === 'data:')
    throw new PdfError('not-a-pdf', 'is a data: URL, but not one of base64 and the type application/pdf');
  const bytes = decodeBase64(text);
  if (!bytes) throw new PdfError('not-a-pdf', 'is not base64');
  if (bytes.length > MAX_PDF_BYTES)
    throw new PdfError('not-a-pdf', `is larger than ${MAX_PDF_BYTES} bytes (it has ${bytes.length})`);
  const other = nameOtherFormat(bytes);
  if (other) throw new PdfError('not-a-pdf', `is not a PDF but ${other}`);
  return bytes;
}

const FORMATS: readonly [RegExp, string][] = [
  [/^\s*(<!doctype html|<html)/i, 'HTML'],
  [/^\u0089PNG/, 'a PNG image'],
  [/^\u00ff\u00d8\u00ff/, 'a JPEG image'],
  [/^GIF8/, 'a GIF image'],
  [/^PK/, 'a ZIP file (of the kind that office programs write, perhaps)'],
];

function nameOtherFormat(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(64, bytes.length)).toString('latin1');
  return FORMATS.find(([pattern]) => pattern.test(start))?.[1];
}
