import { AppError, invalid, notFound } from '../../../src/plugin.ts';
import type { GenerateOptions } from '../../documents/contract.ts';
import type { OfficeService } from '../../office/contract.ts';
import type { TemplateFormat, TemplateSource } from '../../templates/contract.ts';
import type { DocumentRequest } from '../contract.ts';

/** The options that apply to a PDF that LibreOffice makes. All others are for the browser. */
const PDF_OPTIONS = new Set<string>([
  'attachments',
  'invoice',
  'outline',
  'pageRanges',
  'pdfa',
  'properties',
  'protect',
  'signature',
  'strict',
  'watermark',
] satisfies (keyof GenerateOptions)[]);

/** The options that apply to a filled file. */
const FILE_OPTIONS = new Set<string>(['strict'] satisfies (keyof GenerateOptions)[]);

/** The services that decide whether a template can be printed. */
export interface FormatParts {
  templates: TemplateSource | undefined;
  office: Pick<OfficeService, 'isAvailable'> | undefined;
}

/**
 * Returns the format of the stored template of a request; `html` for other sources, and `null` for an unknown
 * template.
 */
export async function formatOf(
  accountId: string,
  { source }: Pick<DocumentRequest, 'source'>,
  { templates }: Pick<FormatParts, 'templates'>,
): Promise<TemplateFormat | null> {
  if (!('templateId' in source) || !templates?.formatOf) return 'html';
  return templates.formatOf(accountId, source.templateId);
}

/**
 * Rejects what a request asks for and the format of its template does not have.
 * @throws {AppError} VALIDATION_ERROR that names the field; NOT_FOUND; NOT_CONFIGURED for a PDF without
 * LibreOffice
 */
export async function checkFormat(
  accountId: string,
  request: Omit<DocumentRequest, 'output'> & { isTest?: boolean | null | undefined },
  parts: FormatParts,
): Promise<void> {
  const { type = 'pdf', styles, image, options = {} } = request;
  const format = await formatOf(accountId, request, parts);
  if (format === null) {
    // A PDF of an unknown template fails later, as an item of a batch does.
    if (type !== 'pdf') throw notFound('template');
    return;
  }
  if (format === 'html') {
    if (type !== 'pdf') throw invalid('type', `is "${type}", which needs a template that is a ${type} file`);
    return;
  }
  if (image)
    throw invalid('template', `is a ${format} file: make a PDF with POST /v1/generate, and draw its pages`);
  if (request.locale !== undefined)
    throw invalid('locale', `is not for a template that is a ${format} file: its helpers take locale=`);
  if (styles !== undefined) throw invalid('styles', `is not for a template that is a ${format} file`);
  if (type !== 'pdf' && type !== format)
    throw invalid('type', `must be "pdf" or "${format}", the type of the template`);
  const allowed = type === 'pdf' ? PDF_OPTIONS : FILE_OPTIONS;
  const refused = Object.entries(options).find(([name, value]) => value !== undefined && !allowed.has(name));
  if (refused)
    throw invalid(
      `options.${refused[0]}`,
      type === 'pdf'
        ? `is not for a template that is a ${format} file: the file decides about its pages`
        : `is not for type "${type}", which is no PDF`,
    );
  if (type !== 'pdf' && request.isTest === true)
    throw invalid('type', 'must be "pdf" with a test key: only PDFs can be marked as a test');
  if (type === 'pdf') requireOffice(parts.office);
}

/** @throws {AppError} NOT_CONFIGURED without LibreOffice */
export function requireOffice<T extends Pick<OfficeService, 'isAvailable'>>(office: T | undefined): T {
  if (office?.isAvailable) return office;
  throw new AppError(
    'NOT_CONFIGURED',
    'PDFs from docx, xlsx and pptx templates need LibreOffice, which is not installed; the filled file works without it (type)',
  );
}
