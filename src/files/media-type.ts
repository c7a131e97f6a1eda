import { newId } from '../ids.ts';
import { DOCUMENT_MEDIA_TYPES } from './document-types.ts';

/** The media type of a stored file, and the extension of its name in downloads and exports. */
export interface FileType {
  mediaType: string;
  extension: string;
}

const PDF: FileType = { mediaType: 'application/pdf', extension: 'pdf' };

/** The types of assets, by the part of the file id that names them. */
const ASSET_FILE_TYPES = {
  png: { mediaType: 'image/png', extension: 'png' },
  jpeg: { mediaType: 'image/jpeg', extension: 'jpg' },
  gif: { mediaType: 'image/gif', extension: 'gif' },
  webp: { mediaType: 'image/webp', extension: 'webp' },
  avif: { mediaType: 'image/avif', extension: 'avif' },
  svg: { mediaType: 'image/svg+xml', extension: 'svg' },
  css: { mediaType: 'text/css', extension: 'css' },
  woff2: { mediaType: 'font/woff2', extension: 'woff2' },
  ttf: { mediaType: 'font/ttf', extension: 'ttf' },
  otf: { mediaType: 'font/otf', extension: 'otf' },
} as const satisfies Readonly<Record<string, FileType>>;

/** The types of archives and of labels. */
const OTHER_TYPES = {
  zip: { mediaType: 'application/zip', extension: 'zip' },
  zpl: { mediaType: 'application/zpl', extension: 'zpl' },
} as const;

/** The media type of an office document that can be a template. */
type OfficeMediaType = (typeof DOCUMENT_MEDIA_TYPES)['docx' | 'xlsx' | 'pptx'];

/** The media types of generations and of the results of PDF operations. */
export type StoredMediaType =
  | 'application/pdf'
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'application/zip'
  | 'application/zpl'
  | OfficeMediaType;

const TYPED_ID = /^(?:asset|file)_([a-z0-9]+)_[0-9A-Za-z]{24}$/;

const TYPES: ReadonlyMap<string, FileType> = new Map<string, FileType>([
  ...Object.entries(DOCUMENT_MEDIA_TYPES).map(([extension, mediaType]): [string, FileType] => [
    extension,
    { mediaType, extension },
  ]),
  ...Object.entries({ ...ASSET_FILE_TYPES, ...OTHER_TYPES }),
]);

/**
 * Returns the type of a stored file. The id of an asset, image, archive, label or office document names its
 * type (`asset_png_…`, `file_png_…`, `file_zip_…`, `file_docx_…`); every other file is a PDF.
 */
export function fileTypeOf(id: string): FileType {
  return TYPES.get(TYPED_ID.exec(id)?.[1] ?? '') ?? PDF;
}

/**
 * Creates the id of a file. The id names the type, so that the file can be served without its record.
 * @param type the media type of a result, or the ending of an uploaded document: `docx`, `csv`, `png`
 */
export function newFileId(type: string): string {
  if (type === 'application/pdf') return newId('file_');
  const document = Object.entries(DOCUMENT_MEDIA_TYPES).find(([, mediaType]) => mediaType === type)?.[0];
  const part = document ?? type.slice(type.indexOf('/') + 1);
  if (!TYPES.has(part)) throw new Error(`files of the type ${type} cannot be stored`);
  return newId(`file_${part}_`);
}

/** Adds the extension of a media type to a name that does not have it. */
export function withExtension(name: string, mediaType: StoredMediaType): string {
  const extensions = EXTENSIONS[mediaType];
  const lowerName = name.toLowerCase();
  return extensions.some((extension) => lowerName.endsWith(extension)) ? name : `${name}${extensions[0]}`;
}

/** The file name extensions of results, the preferred one first. */
const EXTENSIONS: Readonly<Record<StoredMediaType, readonly [string, ...string[]]>> = {
  'application/pdf': ['.pdf'],
  'application/zip': ['.zip'],
  'application/zpl': ['.zpl'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/webp': ['.webp'],
  [DOCUMENT_MEDIA_TYPES.docx]: ['.docx'],
  [DOCUMENT_MEDIA_TYPES.xlsx]: ['.xlsx'],
  [DOCUMENT_MEDIA_TYPES.pptx]: ['.pptx'],
};
