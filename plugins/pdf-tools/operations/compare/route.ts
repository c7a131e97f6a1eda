import { jsonOrMultipart } from '../../../../src/plugin.ts';
import { unwrapTaskResult } from '../../../files/exports.ts';
import { samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { CompareResponse, CompareBody } from './schema.ts';

/** Two PDFs of 27,000,000 bytes in base64. */
const MAX_BODY_BYTES = 80_000_000;
/** The limit of `POST /v1/pdf/images`. */
const TIMEOUT_MS = 60_000;
/** The maximum number of images that are stored at once. */
const CONCURRENT_WRITES = 8;

/** An example response of `POST /v1/pdf/compare`. */
const compareExample = {
  equal: false,
  pages: [
    { page: 1, equal: true, changed_fraction: 0 },
    {
      page: 2,
      equal: false,
      changed_fraction: 0.0123,
      image_url:
        'https://pdf.example.com/files/file_png_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
    },
    { page: 3, equal: false, changed_fraction: 1, only_in: 1 },
  ],
};

/** Registers `POST /v1/pdf/compare`. */
export function compare({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/compare',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Compare two PDFs page by page',
      operationId: 'comparePdfs',
      idempotency: { ignored: 'reads two PDFs and stores nothing' },
      description:
        'Draws the pages of both PDFs as a viewer shows them, and compares the pixels. Pages of different sizes are aligned at the upper left corner; the area that only one covers counts as changed. Images that mark the changes are stored.',
      body: jsonOrMultipart(CompareBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      step: { result: 'other' },
      examples: { 'two equal PDFs': { pdfs: [samplePdf, samplePdf] } },
      response: { schema: CompareResponse, example: compareExample },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { account, body } = input;
      const { dpi = 72, tolerance = 0.01 } = body;
      const pdfs = await files.loadAll(input);
      const call = tasks.compare({ pdfs, dpi, tolerance }, { timeoutMs: TIMEOUT_MS });
      const compared = await unwrapTaskResult('pdfs', call, TIMEOUT_MS);
      const properties = files.readProperties(body, account);
      const store = async (image: Uint8Array) => {
        const pdf = input.isTest ? await files.markImage(image, { field: 'dpi', format: 'png' }) : image;
        const file = { pdf, pages: 1, mediaType: 'image/png' } as const;
        return files.link(await files.save({ account, operation: 'compare', ...file, properties }));
      };
      const urls = new Map<number, string>();
      const images = compared.flatMap(({ page, image }) => (image ? [{ page, image }] : []));
      for (let start = 0; start < images.length; start += CONCURRENT_WRITES)
        await Promise.all(
          images.slice(start, start + CONCURRENT_WRITES).map(async ({ page, image }) => {
            urls.set(page, await store(image));
          }),
        );
      return {
        equal: compared.every(({ equal }) => equal),
        pages: compared.map(({ page, equal, changedFraction, onlyIn }) => {
          const url = urls.get(page);
          return {
            page,
            equal,
            changed_fraction: changedFraction,
            ...(onlyIn !== undefined && { only_in: onlyIn }),
            ...(url !== undefined && { image_url: url }),
          };
        }),
      };
    },
  );
}
