import {
  drawPages,
  InputFault,
  openReadable,
  readSelection,
  toAsyncResult,
  type DrawPagesRequest,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { makeZip } from 'client-zip';

/** A zip archive with the images of pages. */
export interface ImageArchive {
  zip: Uint8Array;
  pages: number;
}

/** The largest total size of the images. */
const MAX_BYTES = 128_000_000;
/** The earliest date of the format. It is fixed so that equal images give equal archives. */
const MODIFIED_AT = new Date(1980, 0, 1);
const EXTENSIONS = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const;

/** Draws pages of a PDF as images, in a zip archive. */
export function draw({
  pdf,
  pages: selection,
  ...request
}: Omit<DrawPagesRequest, 'pages'> & { pdf: PdfSource; pages: string | undefined }): Promise<
  Result<ImageArchive>
> {
  return toAsyncResult('pdf', async () => {
    using document = await openReadable(pdf, 'pdf');
    const pages = readSelection(selection, document.pageCount, 'pages');
    const digits = String(document.pageCount).length;
    const drawn = new Map<number, number>();
    const nameOf = (page: number) => {
      const times = (drawn.get(page) ?? 0) + 1;
      drawn.set(page, times);
      const suffix = times > 1 ? `-${times}` : '';
      return `page-${String(page + 1).padStart(digits, '0')}${suffix}.${EXTENSIONS[request.type]}`;
    };
    async function* entries() {
      let bytes = 0;
      for await (const { page, image } of drawPages(document, { pages, ...request })) {
        bytes += image.length;
        if (bytes > MAX_BYTES)
          throw new InputFault(
            'pages',
            `have images of more than ${MAX_BYTES} bytes; send fewer pages or a lower dpi`,
          );
        yield { name: nameOf(page), lastModified: MODIFIED_AT, input: image };
      }
    }
    return { zip: await new Response(makeZip(entries())).bytes(), pages: pages.length };
  });
}
