import { retrying, send } from './api.ts';
import type { PageOptions, Template } from './types.ts';

/** The PNG image of a page, and the number of pages in its document. */
export interface PrintedImage {
  blob: Blob;
  pages: number;
}

/** The content of a document: HTML with its translations, or a stored template in one of its versions. */
export type PrintSource =
  | ({ html_content: string } & Pick<Template, 'translations' | 'default_locale'>)
  | { template: string; template_version?: number };

/** Prints one page of a document as an image. A request that exceeds the rate limit is retried. */
export async function printPage(
  document: PrintSource & { data: object; options: PageOptions | null; page: number },
  signal: AbortSignal,
): Promise<PrintedImage> {
  const body = { ...document, output: 'png' };
  const response = await retrying(() => send('POST', '/v1/templates/preview', body, { signal }), signal);
  return { blob: await response.blob(), pages: Number(response.headers.get('platen-pages') ?? 1) };
}
