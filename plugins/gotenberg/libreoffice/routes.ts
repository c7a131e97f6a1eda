import { AppError } from '../../../src/plugin.ts';
import type { OfficeService } from '../../office/contract.ts';
import type { PdfToolsService } from '../../pdf-tools/contract.ts';
import type { FormCall, FormRoutes } from '../form-route.ts';
import { extensionOf, type FormFile } from '../form/form.ts';
import { documents, flattenField, processingFields, splitFields } from '../pdf-engines/fields.ts';
import { checkFormats, mergePdfs, processPdfs, readInfo } from '../pdf-engines/post-process.ts';
import type { Engines, NamedPdf } from '../pdf-engines/processing.ts';
import { readProcessing, readSplit } from '../pdf-engines/read-processing.ts';
import { outputOf } from '../pdf-engines/routes.ts';
import { explainConversion } from './errors.ts';
import { EXTENSIONS } from './extensions.ts';
import { officeFields, optionsOf } from './fields.ts';

const fields = {
  ...splitFields(false),
  ...processingFields,
  files: documents(EXTENSIONS, 'The documents.'),
  ...officeFields,
  flatten: flattenField,
};

/** Adds the route of LibreOffice. */
export function addLibreOfficeRoutes(
  routes: FormRoutes,
  { tools, office }: { tools: PdfToolsService; office: OfficeService | undefined },
): void {
  routes.add({
    path: 'forms/libreoffice/convert',
    scope: 'pdf',
    summary: 'Convert office files to PDF',
    operationId: 'gotenbergLibreOfficeConvert',
    mediaTypes: ['application/pdf', 'application/zip'],
    fields,
    async handle(call) {
      const { values, form } = call;
      const processing = { ...readProcessing(values, form), split: readSplit(values) };
      checkFormats(processing, { isNative: true });
      if (!office)
        throw new AppError('NOT_IMPLEMENTED', 'The plugin "office", which converts office files, is off.');
      const engines = { caller: call, tools };
      const converted: NamedPdf[] = [];
      for (const file of values.files) converted.push(await convert(engines, { call, office, file }));
      const merged = values.merge
        ? [{ name: `${crypto.randomUUID()}.pdf`, pdf: await mergePdfs(engines, converted) }]
        : converted;
      return outputOf(await processPdfs(engines, merged, processing));
    },
  });
}

async function convert(
  engines: Engines,
  { call, office, file }: { call: FormCall<typeof fields>; office: OfficeService; file: FormFile },
): Promise<NamedPdf> {
  const { name, content } = file;
  if (extensionOf(name) === '.pdf') {
    // A PDF stays as it is, so that it can be merged with documents.
    await readInfo(engines, { name, pdf: content });
    return { name, pdf: content };
  }
  const { account, signal, values } = call;
  const password = values.password === '' ? undefined : values.password;
  const request = { account, file: content, fileName: name, options: optionsOf(values), signal };
  if (password !== undefined) await requireEncrypted(office, request);
  const { pdf } = await office.convert({ ...request, password }).catch((error: unknown) => {
    throw explainConversion(error, { name, password, pages: values.nativePageRanges });
  });
  return { name: `${name}.pdf`, pdf };
}

/**
 * Rejects a password for a document that opens without one, which LibreOffice would ignore.
 * @throws {AppError} VALIDATION_ERROR
 */
async function requireEncrypted(
  office: OfficeService,
  request: Parameters<OfficeService['convert']>[0] & { fileName: string },
): Promise<void> {
  const opens = await office.convert(request).then(
    () => true,
    // The conversion with the password reports any other fault.
    () => false,
  );
  if (opens)
    throw new AppError(
      'VALIDATION_ERROR',
      `The document '${request.fileName}' is not password-protected. Remove the 'password' form field.`,
    );
}
