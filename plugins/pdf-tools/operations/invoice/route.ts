import {
  AppError,
  explainTaskFailure,
  invalid,
  isBlankField,
  jsonOrMultipart,
  RawJson,
  sendFile,
  type Static,
} from '../../../../src/plugin.ts';
import {
  chooseOutput,
  ONE_PDF_BODY_BYTES,
  pdfTaskLimits,
  resultFields,
  unwrapTaskResult,
} from '../../../files/exports.ts';
import { runFormTask, invoiceDetails } from '../../../documents/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { invoiceExample, readInvoiceExample } from './example.ts';
import { InvoiceResponse, InvoiceBody, ReadInvoiceResponse, ReadInvoiceBody } from './schema.ts';

/** The limit of a conversion to PDF/A, which embedding includes. */
const TIMEOUT_MS = 60_000;

/** The media type of plain XML. */
const XML = 'application/xml';

const CHECK_FAILURES = {
  deadline: 'checking the invoice takes longer than 20 s',
  memory: 'checking the invoice exceeds the memory limit',
  waiting: 'invoices',
  failed: 'the invoice could not be checked',
};

/** Registers `POST /v1/pdf/invoice`. */
export function invoice({ routes, sandbox, files, render }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/invoice',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Make an electronic invoice',
      operationId: 'makeInvoice',
      idempotency: 'kept',
      description:
        'Embeds the data of an invoice in a PDF (Factur-X, ZUGFeRD, XRechnung), which becomes PDF/A-3b, or returns the invoice as plain XML. Absent totals are computed, and the invoice is first checked against the business rules of EN 16931. If it violates any, the response is 400 with a detail for each: its `code` is the rule, such as `BR-CO-10`, and its `path` the place in the data.',
      body: jsonOrMultipart(InvoiceBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {
        adds: ['pdfa', 'invoice'],
        undoes: {
          encryption: 'an e-invoice is PDF/A-3b, which does not allow encryption. Leave out protect',
        },
      },
      examples: {
        'a PDF': { pdf: samplePdf, profile: 'en16931', data: invoiceExample },
        'plain XML': { profile: 'en16931', document: 'ubl', data: invoiceExample },
      },
      response: {
        schema: InvoiceResponse,
        example: { profile: 'en16931' as const, ...fileExample },
        mediaTypes: ['application/pdf', XML],
      },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const { pdf: source, profile, data, xml: finished, document = 'pdf' } = input.body;
      checkFields(input.body);
      const isJson = source === undefined && !respondsWithXml(input);
      const isUnchecked = input.body.check === false;
      const field = finished === undefined ? 'data' : 'xml';
      const call =
        finished !== undefined
          ? tasks.readFinished({ xml: finished, profile, isUnchecked }, pdfTaskLimits)
          : tasks.write(
              {
                profile,
                data: data?.bytes ?? new Uint8Array(),
                syntax: document === 'ubl' ? 'ubl' : 'cii',
                document: isJson ? document : undefined,
              },
              pdfTaskLimits,
            );
      const result = await call.catch((error: unknown) => {
        throw explainTaskFailure(error, { ...CHECK_FAILURES, path: field });
      });
      if (result.findings) throw violation(invoiceDetails(result.findings, field));
      const { written: xml } = result;
      if (isJson) return new RawJson(xml);
      if (source === undefined) return sendFile({ body: xml, mediaType: XML, fileName: 'invoice.xml' });
      const pdf = await files.load({ ...input, body: { ...input.body, pdf: source } });
      const { document_type: documentType, version } = input.body;
      const embedded = { xml, profile, isUnchecked, documentType, version };
      const made = await runFormTask({
        render,
        accountId: input.account.id,
        run: (drawn) => tasks.embed({ pdf, invoice: embedded, drawn }, { timeoutMs: TIMEOUT_MS }),
        timeoutMs: TIMEOUT_MS,
      });
      return files.deliver(input, { operation: 'invoice', ...made, fields: { profile } });
    },
  );
}

/** @throws {AppError} VALIDATION_ERROR for fields that do not apply to the document */
function checkFields(body: Static<typeof InvoiceBody>): void {
  const { pdf, document = 'pdf', profile, output, data, xml } = body;
  if (data === undefined && xml === undefined) throw invalid('data', 'is required, or xml');
  if (data !== undefined && xml !== undefined) throw invalid('xml', 'cannot be combined with data');
  if (xml === undefined)
    for (const field of ['check', 'document_type', 'version'] as const)
      if (body[field] !== undefined) throw invalid(field, 'is only for xml');
  if (xml !== undefined && document !== 'pdf')
    throw invalid('document', 'is only for data: xml is embedded in a PDF');
  if (document === 'pdf') {
    if (pdf === undefined)
      throw invalid('pdf', 'is required, unless document is "cii" or "ubl" for plain XML');
    return;
  }
  if (pdf !== undefined)
    throw invalid(
      'document',
      `"${document}" is plain XML without a PDF. Leave out pdf, or leave out document to embed the invoice`,
    );
  if (document === 'ubl' && profile !== 'en16931' && profile !== 'xrechnung')
    throw invalid(
      'document',
      `cannot be "ubl" with the profile ${profile}, which is for CII. Use the profile en16931 or xrechnung`,
    );
  if (output === 'url' || output === 'base64')
    throw invalid('output', 'cannot be set for plain XML except to "binary": the XML is in the response');
  const sent = Object.entries(body).find(
    ([field, value]) => field in resultFields && !isBlankField(value),
  )?.[0];
  if (sent !== undefined) throw invalid(sent, 'cannot be set for plain XML, which is not stored');
}

function violation(details: AppError['details']): AppError {
  const [first] = details;
  return new AppError('VALIDATION_ERROR', `${first?.path}: ${first?.message}`, { details });
}

/** Tells whether the response to a request for plain XML is the file itself instead of JSON. */
function respondsWithXml({ request, body }: { request: Request; body: { output?: string } }): boolean {
  return chooseOutput(request, body.output === 'binary' ? 'binary' : undefined, XML) === 'binary';
}

/** Registers `POST /v1/pdf/invoice/read`. */
export function readInvoice({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/invoice/read',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Read an electronic invoice',
      operationId: 'readInvoice',
      idempotency: { ignored: 'reads an invoice and stores nothing' },
      description:
        'Extracts the invoice that is embedded in a PDF, in CII (Factur-X, ZUGFeRD 2, XRechnung) or UBL, and checks it against the business rules of EN 16931. The PDF itself is not checked; see `POST /v1/pdf/validate`.',
      body: jsonOrMultipart(ReadInvoiceBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      examples: { 'a PDF': { pdf: samplePdf } },
      response: {
        schema: ReadInvoiceResponse,
        example: {
          found: true,
          profile: 'minimum' as const,
          file_name: 'factur-x.xml',
          xml: '<?xml version="1.0" encoding="UTF-8"?>…',
          data: readInvoiceExample,
          valid: true,
          findings: [],
        },
      },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const pdf = await files.load(input);
      return new RawJson(await unwrapTaskResult('pdf', tasks.read({ pdf }, pdfTaskLimits)));
    },
  );
}
