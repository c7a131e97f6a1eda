import { AppError, type Routes } from '../../src/plugin.ts';
import type { PdfToolsService } from './contract.ts';
import { fileExample, infoExample, samplePdf } from './examples.ts';
import { ONE_PDF_BYTES, presentFile } from './exchange.ts';
import { FileAnswer } from './exchange-schemas.ts';
import { presentInfo } from './present.ts';
import {
  ArchiveAnswer,
  ArchiveBody,
  InfoAnswer,
  InfoBody,
  MergeBody,
  SignAnswer,
  SignBody,
  SplitAnswer,
  SplitBody,
} from './schemas.ts';

const MERGE_BYTES = 150_000_000;

/** Maps SPEC 4.5 to the service. */
export function mountRoutes(routes: Routes, tools: PdfToolsService): void {
  routes.post(
    '/v1/pdf/merge',
    {
      summary: 'Join PDFs',
      description:
        'Whole documents are joined: pages, outlines, links, form fields, labels, layers and attachments. What two documents name alike is renamed. A signature does not survive, its appearance does.',
      body: MergeBody,
      maxBodyBytes: MERGE_BYTES,
      worksOnDocument: true,
      examples: { 'two documents': { pdfs: [samplePdf, samplePdf], output: 'base64' } },
      response: { schema: FileAnswer, example: fileExample },
    },
    async ({ body: { pdfs, output = 'url' } }) => presentFile(await tools.merge(pdfs, output), tools),
  );

  routes.post(
    '/v1/pdf/split',
    {
      summary: 'Split a PDF by ranges of pages',
      description:
        'A part holds what its pages use and nothing else; links to pages outside of it are removed.',
      body: SplitBody,
      maxBodyBytes: ONE_PDF_BYTES,
      worksOnDocument: true,
      examples: { 'first page': { pdf: samplePdf, ranges: [[1]] } },
      response: { schema: SplitAnswer, example: { parts: [fileExample], total: 1 } },
    },
    async ({ body: { pdf, ranges, output = 'url' } }) => {
      const files = await tools.split(pdf, ranges, output);
      const parts = await Promise.all(files.map((file) => presentFile(file, tools)));
      return { parts, total: parts.length };
    },
  );

  routes.post(
    '/v1/pdf/sign',
    {
      summary: 'Put a visual signature on a page',
      description:
        'A stamp with name, reason, location, contact and date. It is no cryptographic signature, and shows no change of the file. Cryptographic signatures that the file has stay valid; where they forbid annotations the answer is 400.',
      body: SignBody,
      maxBodyBytes: ONE_PDF_BYTES,
      worksOnDocument: true,
      examples: {
        'lower left corner': {
          pdf: samplePdf,
          name: 'Ada Lovelace',
          reason: 'I approve this document',
          location: 'London',
          x: 10,
          y: 10,
          width: 150,
          height: 50,
          output: 'base64',
        },
      },
      response: {
        schema: SignAnswer,
        example: { ...fileExample, signed: true, signature_annotation_added: true },
      },
      errors: ['NOT_IMPLEMENTED'],
    },
    async ({ account, body: { output = 'url', ...request } }) => {
      const file = await tools.sign({ account, ...request }, output);
      return { ...(await presentFile(file, tools)), signed: true, signature_annotation_added: true };
    },
  );

  routes.post(
    '/v1/pdf/pdfa',
    {
      summary: 'Convert a PDF to PDF/A-1b',
      description:
        'Fonts are embedded; scripts, attachments, layers and what else archives must not have are removed; pages that are seen through are flattened, with their text kept. The result is checked before it is returned: what cannot be made to conform is 400, with a detail for each clause of ISO 19005-1 that it breaks.',
      body: ArchiveBody,
      maxBodyBytes: ONE_PDF_BYTES,
      worksOnDocument: true,
      examples: { 'with a title': { pdf: samplePdf, title: 'Annual report', output: 'base64' } },
      response: { schema: ArchiveAnswer, example: { ...fileExample, pdfa: true } },
    },
    async ({ body: { output = 'url', allow_signature_loss: allowSignatureLoss, ...request } }) => {
      const file = await tools.archive({ ...request, allowSignatureLoss }, output);
      return { ...(await presentFile(file, tools)), pdfa: true as const };
    },
  );

  routes.post(
    '/v1/pdf/info',
    {
      summary: 'Read what is known about a PDF',
      body: InfoBody,
      maxBodyBytes: ONE_PDF_BYTES,
      worksOnDocument: true,
      examples: { 'one page': { pdf: samplePdf } },
      response: { schema: InfoAnswer, example: infoExample },
    },
    async ({ body: { pdf } }) => presentInfo(await tools.info(pdf)),
  );

  // The body is not described, so that it is not read: whatever it is, the answer is the same.
  routes.post(
    '/v1/pdf/protect',
    {
      summary: 'Protect a PDF with a password (not implemented)',
      description: 'Answers 501 to every call; nothing is encrypted.',
      errors: ['NOT_IMPLEMENTED'],
    },
    () => {
      throw new AppError('NOT_IMPLEMENTED', 'password protection is not implemented; nothing was encrypted');
    },
  );
}
