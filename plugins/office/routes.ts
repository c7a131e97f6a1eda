import { isRawFile, jsonOrMultipart, type Routes } from '../../src/plugin.ts';
import { baseNameOf } from './base-name.ts';
import { readConversion } from '../documents/exports.ts';
import { PdfResponse } from '../files/exports.ts';
import type { FilesService } from '../files/contract.ts';
import type { OfficeService } from './contract.ts';
import { convertedExample, sampleDocument } from './examples.ts';
import { ConvertBody } from './schemas.ts';

/** Base64 takes four bytes for three, and the other fields some more. */
const bodyBytes = (fileMegabytes: number) => Math.ceil(fileMegabytes * 1_000_000 * 1.34) + 4_000_000;

/** Mounts `POST /v1/pdf/convert`. */
export function mountRoutes({
  routes,
  office,
  files,
  maxFileMegabytes,
}: {
  routes: Routes;
  office: OfficeService;
  files: FilesService;
  maxFileMegabytes: number;
}): void {
  routes.post(
    '/v1/pdf/convert',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Convert an office document to PDF',
      operationId: 'convertDocument',
      idempotency: 'kept',
      description:
        'Converts a text, a spreadsheet, a presentation, a drawing or an image with LibreOffice, if it is installed. The type is taken from the content, then from the name. The PDF keeps tags, outline and links. A file that is encrypted, damaged or beyond a limit is 400. The password is neither stored nor logged.',
      body: jsonOrMultipart(ConvertBody),
      maxBodyBytes: bodyBytes(maxFileMegabytes),
      worksOnDocument: true,
      examples: {
        'the first page': { file: sampleDocument, pages: '1' },
      },
      response: { schema: PdfResponse, example: convertedExample, mediaTypes: ['application/pdf'] },
      errors: ['NOT_FOUND', 'NOT_CONFIGURED'],
    },
    async (input) => {
      const { account, body, signal } = input;
      files.readProperties(body, account);
      const file = await files.loadDocument(input, 'file', body.file);
      const made = await office.convertInput({
        account,
        file,
        fileName: isRawFile(file) ? file.fileName : undefined,
        fileType: body.file_type,
        password: body.password,
        options: readConversion(body),
        signal,
      });
      const name = isRawFile(body.file) ? baseNameOf(body.file.fileName) : undefined;
      const named = { ...(name !== undefined && { file_name: `${name}.pdf` }), ...body };
      return files.deliver({ ...input, body: named }, { operation: 'convert', ...made });
    },
  );
}
