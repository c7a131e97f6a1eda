import {
  AppError,
  FileNotFoundError,
  notFound,
  sendFile,
  type FileStore,
  type Sandbox,
} from '../../src/plugin.ts';
import { pdfTaskLimits, unwrapTaskResult } from './pdf-output.ts';
import { PageImageQuery } from './schemas.ts';

/** A stored PDF whose pages can be drawn. */
export interface PagedPdf {
  fileId: string;
  /** `null` when the pages are unknown, because the PDF needs a password. */
  pages: number | null;
}

export interface PageImageRequest {
  request: Request;
  /** The last segment of the path, such as `3.png`. */
  image: string;
  widthPx: number;
  /** Finds the PDF. @throws {AppError} when the caller may not see it. */
  find: () => Promise<PagedPdf>;
  /** Reserves memory until the response. @throws {AppError} RATE_LIMITED */
  reserveMemory: (bytes: number) => void;
}

/**
 * Responds to a request for the image of a page with a PNG, or with 304 when the caller has the image. The
 * PDF is drawn in the sandbox.
 * @throws {AppError} NOT_FOUND for a page that does not exist; VALIDATION_ERROR for a PDF that cannot be
 * drawn
 */
export type SendPageImage = (request: PageImageRequest) => Promise<Response>;

/** The description of a route that sends images of pages. Its path ends with `/pages/:n.png`. */
export const PAGE_IMAGE_ROUTE = {
  summary: 'Draw a page as an image',
  description:
    'Draws a page of a stored PDF as a PNG, as a viewer shows it. Pages count from 1. The response has an ETag: a request with If-None-Match gets 304 without drawing the page again.',
  query: PageImageQuery,
  worksOnDocument: true,
  response: { mediaTypes: ['image/png'], hasEtag: true },
  errors: ['NOT_FOUND', 'CONFLICT'],
} as const;

/** A bitmap of this size takes 96 MB in the sandbox. */
const MAX_PIXELS = 24_000_000;

/** Part of each ETag. Change it when the way in which pages are drawn changes. */
const DRAWING_VERSION = 'p3';

/**
 * The caller must ask each time, because the document may be deleted. A shared cache must not store the
 * image.
 */
const CACHE_CONTROL = 'private, no-cache';

/** Creates the function that sends images of pages. */
export function createPageImages({
  files,
  sandbox,
}: {
  files: Pick<FileStore, 'get'>;
  sandbox: Sandbox;
}): SendPageImage {
  const tasks = sandbox.load<typeof import('@platen/pdf/images-task')>(
    new URL(import.meta.resolve('@platen/pdf/images-task')),
  );

  /**
   * Opens a PDF. If it is on a disk of this machine, the sandbox reads it from there, so that it takes no
   * memory of the service.
   */
  async function open(
    fileId: string,
    reserveMemory: PageImageRequest['reserveMemory'],
  ): Promise<Uint8Array | { path: string }> {
    const { stream, sizeBytes, path } = await files.get(fileId).catch((error: unknown) => {
      throw error instanceof FileNotFoundError ? notFound('file') : error;
    });
    if (path !== undefined) {
      await stream.cancel();
      return { path };
    }
    reserveMemory(sizeBytes);
    return new Response(stream).bytes();
  }

  return async ({ request, image, widthPx, find, reserveMemory }) => {
    const { fileId, pages } = await find();
    const page = readPage(image, pages);
    if (pages === null)
      throw new AppError(
        'VALIDATION_ERROR',
        'the PDF needs a password: remove it with POST /v1/pdf/unlock first',
      );
    // A stored file never changes.
    const etag = `"${DRAWING_VERSION}-${fileId}-${page}-${widthPx}"`;
    const headers = { etag, 'cache-control': CACHE_CONTROL };
    if (isKnown(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers });
    const pdf = await open(fileId, reserveMemory);
    const drawing = tasks.drawPageImage(
      { pdf, page: page - 1, widthPx, maxPixels: MAX_PIXELS },
      pdfTaskLimits,
    );
    const png = await unwrapTaskResult('page', drawing);
    // The file has just been deleted.
    if (png === null) throw notFound('file');
    const file = { body: png, mediaType: 'image/png', fileName: `page-${page}.png` };
    return sendFile(file, headers);
  };
}

/**
 * Reads the number of the page, which counts from 1.
 * @throws {AppError} NOT_FOUND for another name than that of a page, and for a page after the last
 */
function readPage(image: string, pages: number | null): number {
  const [, digits] = /^([1-9]\d{0,6})\.png$/.exec(image) ?? [];
  if (digits === undefined)
    throw new AppError('NOT_FOUND', 'the image was not found: images are 1.png, 2.png and so on');
  const page = Number(digits);
  if (pages !== null && page > pages)
    throw new AppError(
      'NOT_FOUND',
      `page ${page} was not found: the document has ${pages} page${pages === 1 ? '' : 's'}`,
    );
  return page;
}

/** Evaluates If-None-Match with the weak comparison (RFC 9110, 13.1.2). */
function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((item) => ['*', etag, `W/${etag}`].includes(item.trim()));
}
