import { decodeBase64 } from './base64.ts';
import { PdfDocument } from './objects/document.ts';
import { InputFault, PdfError, RenderingError } from './objects/errors.ts';

/**
 * The result of work that crosses a process boundary, where errors lose their class. Expected failures are
 * values: `part` names the invalid argument, and `details` lists all reasons if there are several.
 */
export type Result<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string; part?: string; details?: string[] };

/** The bytes of a PDF. */
export interface RawPdf {
  raw: Uint8Array;
}

/**
 * A PDF: its bytes, or base64 text, with or without a data URL prefix, as a string or as the bytes of the
 * text.
 */
export type PdfSource = string | Uint8Array | RawPdf;

/** The maximum size of a decoded PDF. */
const MAX_PDF_BYTES = 27_000_000;

/** A data URL prefix (RFC 2397), with or without parameters. In long strings slashes may still be escaped. */
const DATA_URL = /^\s*data:application\\?\/pdf(?:;[^;,]+)*;base64,/i;
const DATA_URL_LENGTH = 300;

/** Runs work, and converts an {@link InputFault} to a result. */
export function toResult<T>(work: () => T): Result<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return { ok: false, code: 'INVALID_INPUT', message: error.message, part: error.field };
  }
}

/**
 * Runs work, and converts an {@link InputFault}, or a {@link PdfError} or {@link RenderingError} for a field,
 * to a result.
 */
export async function toAsyncResult<T>(field: string, work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof RenderingError)
      return { ok: false, code: 'INVALID_INPUT', message: error.message, part: field };
    return toResult(() =>
      forField(field, () => {
        throw error;
      }),
    );
  }
}

/** Returns the bytes of a PDF, which overwrite base64 text. @throws {InputFault} naming the field. */
export function decodeInput(source: PdfSource, field: string): Uint8Array {
  return forField(field, () => readBytes(source));
}

/**
 * Opens a PDF.
 * @throws {InputFault} naming the field, or the field `password` if the password is wrong or empty.
 */
export function openInput(source: PdfSource, field: string, password?: string): PdfDocument {
  return forField(field, () => {
    try {
      return PdfDocument.open(readBytes(source), password);
    } catch (error) {
      if (!(error instanceof PdfError)) throw error;
      if (error.fault === 'needs-password' && password !== undefined)
        throw new InputFault('password', 'is empty, but the PDF needs a password');
      if (error.fault !== 'wrong-password') throw error;
      throw new InputFault(
        'password',
        'is wrong: it is neither the user password nor the owner password of the PDF',
      );
    }
  });
}

/** Runs work, and converts a {@link PdfError} to an {@link InputFault} for a field. */
export function forField<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PdfError ? new InputFault(field, error.message) : error;
  }
}

function readBytes(source: PdfSource): Uint8Array {
  const isText = typeof source === 'string' || source instanceof Uint8Array;
  const bytes = isText ? decode(source) : source.raw;
  if (bytes.length === 0) throw new PdfError('not-a-pdf', 'is empty');
  if (bytes.length > MAX_PDF_BYTES)
    throw new PdfError('not-a-pdf', `is larger than ${MAX_PDF_BYTES} bytes (it has ${bytes.length})`);
  const other = nameOtherFormat(bytes);
  if (other) throw new PdfError('not-a-pdf', `is not a PDF but ${other}`);
  return bytes;
}

function decode(text: string | Uint8Array): Uint8Array {
  const base64 =
    typeof text === 'string'
      ? Buffer.from(text, 'latin1')
      : Buffer.from(text.buffer, text.byteOffset, text.length);
  const [prefix = ''] = DATA_URL.exec(base64.toString('latin1', 0, DATA_URL_LENGTH)) ?? [];
  const encoded = base64.subarray(prefix.length);
  if (/^\s*$/.test(encoded.toString('latin1', 0, 1000)))
    throw new PdfError('not-a-pdf', 'is empty: send a PDF in base64');
  if (encoded.toString('latin1', 0, 5).toLowerCase() === 'data:')
    throw new PdfError(
      'not-a-pdf',
      'is a data URL, but its type is not application/pdf or its encoding is not base64',
    );
  const bytes = decodeBase64(encoded);
  if (!bytes) throw new PdfError('not-a-pdf', 'is not valid base64');
  return bytes;
}

const FORMATS: readonly [RegExp, string][] = [
  [/^\s*(<!doctype html|<html)/i, 'HTML'],
  [/^\u0089PNG/, 'a PNG image'],
  [/^\u00ff\u00d8\u00ff/, 'a JPEG image'],
  [/^GIF8/, 'a GIF image'],
  [/^PK/, 'a ZIP file, possibly an office document'],
];

function nameOtherFormat(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(64, bytes.length)).toString('latin1');
  return FORMATS.find(([pattern]) => pattern.test(start))?.[1];
}
