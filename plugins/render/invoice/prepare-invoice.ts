import type { InvoiceFile } from '@platen/pdf-standards';
import { explainTaskFailure, RawJson, type Sandbox } from '../../../src/plugin.ts';
import { invoiceDetails } from '../../documents/exports.ts';
import type { DocumentRequest } from '../contract.ts';
import { RenderError } from '../render-error.ts';

/**
 * A request whose invoice is prepared. The data of its template contains the completed invoice, unless the
 * options have the invoice and `data.invoice` is data of the template's own.
 */
export interface PreparedRequest {
  request: DocumentRequest;
  invoice: InvoiceFile | undefined;
}

/**
 * Prepares the invoice of a request.
 * @throws {RenderError} INVOICE_INVALID with a detail for each violated rule
 */
export type PrepareInvoice = (request: DocumentRequest) => Promise<PreparedRequest>;

const TIMEOUT_MS = 20_000;
/** The sources that are templates or components also without data. */
const NEEDS_NO_DATA = ['templateId', 'react'];
/** Their data in this case. */
const NO_DATA = Buffer.from('{}');

const FAILURES = {
  deadline: `checking the invoice takes longer than ${TIMEOUT_MS / 1000} s`,
  memory: 'checking the invoice exceeds the memory limit',
  waiting: 'invoices',
  failed: 'the invoice could not be checked',
};

/** Creates the function that prepares invoices in the sandbox. */
export function createInvoicePreparation(sandbox: Sandbox): PrepareInvoice {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  return async (request) => {
    const option = request.options?.invoice;
    if (!option) return { request, invoice: undefined };
    const path = option.data ? 'options.invoice.data' : 'data.invoice';
    const job = {
      profile: option.profile,
      data: option.data?.bytes,
      templateData:
        request.data?.bytes ?? (NEEDS_NO_DATA.some((kind) => kind in request.source) ? NO_DATA : undefined),
    };
    const prepared = await tasks.prepare(job, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
      throw explainTaskFailure(error, { ...FAILURES, path });
    });
    if (prepared.findings) throw invalidInvoice(prepared.findings, path);
    const { file, templateData } = prepared;
    const completed = templateData ? { ...request, data: new RawJson(templateData) } : request;
    return { request: completed, invoice: file };
  };
}

function invalidInvoice(findings: Parameters<typeof invoiceDetails>[0], field: string): RenderError {
  const details = invoiceDetails(findings, field);
  const [{ path, message } = { path: field, message: 'is invalid' }] = details;
  return new RenderError('INVOICE_INVALID', message, { path, details });
}
