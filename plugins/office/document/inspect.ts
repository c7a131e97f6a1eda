import { unzipSync, type UnzipFileInfo } from 'fflate';
import { decodeDataUrl } from '@platen/pdf/base64';
import type { FileValue } from '../../../src/plugin.ts';
import type { ImportFilter } from '../engine/request.ts';
import { readCompound } from './compound.ts';
import { isTruncatedImage } from './image-ends.ts';
import { readCsvFilter, TEXT_FILTER, toUtf8 } from './text.ts';
import { nameOf, NO_DOCUMENT, TYPES, TYPES_BY_NAME } from './types.ts';

// The functions in this file run in the sandbox.

/** A file of a request, and what its sender says about it. */
export interface UnknownDocument {
  file: FileValue;
  fileName: string | undefined;
  fileType: string | undefined;
  maxBytes: number;
}

/** The type of a document, and its content if that was sent as text or had to change. */
export interface InspectedDocument {
  /** The ending of the type, in lower case. */
  type: string;
  content: Uint8Array | undefined;
  filter: ImportFilter | undefined;
}

/** Thrown for a document that cannot be converted. The message follows the name of the field. */
export class DocumentFault extends Error {
  override name = 'DocumentFault';
  readonly field: 'file' | 'file_type';

  constructor(field: 'file' | 'file_type', message: string) {
    super(message);
    this.field = field;
  }
}

/** How many bytes at the start of a file are read to detect its type. */
const START_BYTES = 4_096;
const MAX_UNPACKED_BYTES = 500_000_000;
const MAX_ENTRIES = 20_000;
const MAX_LISTING_BYTES = 1_000_000;

/** Determines the type of a document. @throws {DocumentFault} */
export function inspectDocument({ file, fileName, fileType, maxBytes }: UnknownDocument): InspectedDocument {
  const isText = typeof file === 'string' || file instanceof Uint8Array;
  const bytes = isText ? decode(file) : file.raw;
  if (bytes.length === 0) throw new DocumentFault('file', NO_DOCUMENT.empty);
  if (bytes.length > maxBytes)
    throw new DocumentFault('file', `is larger than plugins.office.maxFileMegabytes, ${maxBytes / 1e6} MB`);
  const wanted = readWanted(fileType);
  const named = TYPES_BY_NAME.get(/\.([a-z0-9]{1,8})$/i.exec(fileName ?? '')?.[1]?.toLowerCase() ?? '');
  const found = binaryType(bytes, wanted ?? named) ?? markupType(bytes);
  if (found !== undefined) {
    if (wanted !== undefined && !isSameFamily(wanted, found))
      throw new DocumentFault('file_type', `is ${wanted}, but the content of the file is ${nameOf(found)}`);
    if (isTruncatedImage(found, bytes)) throw new DocumentFault('file', 'is truncated');
    return { type: found, content: isText ? bytes : undefined, filter: undefined };
  }
  const text = toUtf8(bytes);
  const type = wanted ?? named;
  if (text === undefined || (type !== undefined && TYPES[type]?.isText !== true)) {
    // Types without a signature, such as those of old programs, are recognised by their name.
    if (type !== undefined && TYPES[type]?.byName === true)
      return { type, content: isText ? bytes : undefined, filter: undefined };
    const claimed = type === undefined ? '' : `: it is not ${nameOf(type)}, as its name or type says`;
    throw new DocumentFault(
      wanted !== undefined && named === undefined ? 'file_type' : 'file',
      type === undefined ? NO_DOCUMENT.unknown : `is damaged or of another type${claimed}`,
    );
  }
  if (text.every((byte) => byte <= 0x20)) throw new DocumentFault('file', NO_DOCUMENT.empty);
  const isTable = type === 'csv' || type === 'tsv';
  return {
    type: type ?? 'txt',
    content: isText || text !== bytes ? text : undefined,
    filter: isTable ? readCsvFilter(text) : type === undefined || type === 'txt' ? TEXT_FILTER : undefined,
  };
}

function readWanted(fileType: string | undefined): string | undefined {
  if (fileType === undefined || fileType === '') return undefined;
  const wanted = TYPES_BY_NAME.get(fileType.toLowerCase().replace(/^\./, ''));
  if (wanted === undefined)
    throw new DocumentFault('file_type', `must be one of ${[...TYPES_BY_NAME.keys()].join(', ')}`);
  return wanted;
}

/** Tells whether two types have the same container, such as a template and a document. */
function isSameFamily(wanted: string, found: string): boolean {
  return wanted === found || TYPES[wanted]?.family === TYPES[found]?.family;
}

const SIGNATURES: readonly (readonly [start: string, type: string])[] = [
  ['{\\rtf', 'rtf'],
  ['\u0089PNG\r\n\u001a\n', 'png'],
  ['\u00ff\u00d8\u00ff', 'jpeg'],
  ['GIF87a', 'gif'],
  ['GIF89a', 'gif'],
  ['BM', 'bmp'],
  ['II*\u0000', 'tiff'],
  ['MM\u0000*', 'tiff'],
  ['\u00d7\u00cd\u00c6\u009a', 'wmf'],
  ['8BPS', 'psd'],
];

function binaryType(bytes: Uint8Array, named: string | undefined): string | undefined {
  const start = startOf(bytes);
  if (start.startsWith('%PDF-')) throw new DocumentFault('file', NO_DOCUMENT.pdf);
  if (start.startsWith('PK\u0003\u0004')) return zipType(bytes, named);
  if (start.startsWith('PK')) throw new DocumentFault('file', 'is an empty or damaged zip archive');
  if (start.startsWith('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1')) return compoundType(bytes, named);
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'webp';
  if (start.startsWith('\u0001\u0000\u0000\u0000') && start.slice(40, 44) === ' EMF') return 'emf';
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
}

const OPEN_DOCUMENT: Readonly<Record<string, string>> = {
  text: 'odt',
  'text-template': 'ott',
  'text-master': 'odm',
  spreadsheet: 'ods',
  'spreadsheet-template': 'ots',
  presentation: 'odp',
  'presentation-template': 'otp',
  graphics: 'odg',
  'graphics-template': 'otg',
  formula: 'odf',
};

/** The main parts of Office Open XML files, by the end of their content types. */
const MAIN_PARTS: readonly (readonly [contentType: string, type: string])[] = [
  ['wordprocessingml.document.main+xml', 'docx'],
  ['wordprocessingml.template.main+xml', 'dotx'],
  ['ms-word.document.macroEnabled.main+xml', 'docm'],
  ['ms-word.template.macroEnabledTemplate.main+xml', 'dotm'],
  ['spreadsheetml.sheet.main+xml', 'xlsx'],
  ['spreadsheetml.template.main+xml', 'xltx'],
  ['ms-excel.sheet.macroEnabled.main+xml', 'xlsm'],
  ['ms-excel.template.macroEnabled.main+xml', 'xltm'],
  ['ms-excel.sheet.binary.macroEnabled.main', 'xlsb'],
  ['presentationml.presentation.main+xml', 'pptx'],
  ['presentationml.slideshow.main+xml', 'ppsx'],
  ['presentationml.template.main+xml', 'potx'],
  ['ms-powerpoint.presentation.macroEnabled.main+xml', 'pptm'],
  ['ms-powerpoint.slideshow.macroEnabled.main+xml', 'ppsm'],
  ['ms-visio.drawing.main+xml', 'vsdx'],
  ['ms-visio.drawing.macroEnabled.main+xml', 'vsdm'],
];

/** Determines the type of a zip archive, whose listing says how much it contains. */
function zipType(bytes: Uint8Array, named: string | undefined): string {
  let unpackedBytes = 0;
  let entries = 0;
  const isListing = ({ name, originalSize }: UnzipFileInfo) => {
    unpackedBytes += originalSize;
    entries += 1;
    if (unpackedBytes > MAX_UNPACKED_BYTES || entries > MAX_ENTRIES)
      throw new DocumentFault(
        'file',
        `unpacks to more than ${MAX_UNPACKED_BYTES / 1e6} MB or ${MAX_ENTRIES} parts`,
      );
    return (name === 'mimetype' || name === '[Content_Types].xml') && originalSize <= MAX_LISTING_BYTES;
  };
  const files = (() => {
    try {
      return unzipSync(bytes, { filter: isListing });
    } catch (error) {
      if (error instanceof DocumentFault) throw error;
      throw new DocumentFault('file', 'is truncated or damaged: its zip archive cannot be read');
    }
  })();
  const read = (name: string) => Buffer.from(files[name] ?? []).toString('latin1');
  const [, openDocument] =
    /^application\/vnd\.oasis\.opendocument\.([a-z-]{1,40})/.exec(read('mimetype')) ?? [];
  const contentTypes = read('[Content_Types].xml');
  const found =
    (openDocument === undefined ? undefined : OPEN_DOCUMENT[openDocument]) ??
    MAIN_PARTS.find(([contentType]) => contentTypes.includes(contentType))?.[1];
  if (found !== undefined) return found;
  if (named !== undefined && TYPES[named]?.family === 'zip') return named;
  throw new DocumentFault('file', 'is a zip archive, but not an office document');
}

/**
 * Determines the type of a compound file. An encrypted one does not tell, and neither does a truncated one,
 * so its name does.
 */
function compoundType(bytes: Uint8Array, named: string | undefined): string {
  const { isEncrypted, types } = readCompound(bytes);
  if (isEncrypted)
    return named !== undefined && TYPES[named]?.family.startsWith('ooxml') === true ? named : 'docx';
  const [found] = types;
  // A workbook in a text, or a text in a workbook, has its streams in the same directory.
  const isNamed = types.some((type) => named !== undefined && TYPES[named]?.family === TYPES[type]?.family);
  if (found !== undefined && !isNamed) return found;
  if (named !== undefined && TYPES[named]?.isCompound === true) return named;
  throw new DocumentFault('file', 'is truncated, or a compound file without an office document');
}

/** Determines the type of a text that begins with markup. */
function markupType(bytes: Uint8Array): string | undefined {
  const start = startOf(bytes)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (!start.startsWith('<')) return undefined;
  if (/<!doctype html|<html/i.test(start)) return 'html';
  if (/<svg[\s>]|<svg:svg/.test(start)) return 'svg';
  if (start.includes('opendocument.text')) return 'fodt';
  if (start.includes('opendocument.spreadsheet')) return 'fods';
  if (start.includes('opendocument.presentation')) return 'fodp';
  if (start.includes('opendocument.graphics')) return 'fodg';
  if (/progid="(?:Word|Excel)|wordDocument|urn:schemas-microsoft-com:office:spreadsheet/.test(start))
    return 'xml';
  return undefined;
}

function startOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(START_BYTES, bytes.length)).toString('latin1');
}

function decode(text: string | Uint8Array): Uint8Array {
  const decoded = decodeDataUrl(text);
  if (!decoded) throw new DocumentFault('file', 'is neither valid base64 nor the id of a file');
  return decoded;
}
