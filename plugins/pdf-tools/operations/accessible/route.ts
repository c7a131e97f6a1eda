import { fieldGroup, jsonOrMultipart, Type } from '../../../../src/plugin.ts';
import {
  ONE_PDF_BODY_BYTES,
  OutputChoice,
  PdfInput,
  pdfResponseProperties,
  resultFields,
  unwrapTaskResult,
} from '../../../files/exports.ts';
import { propertySchemas } from '../../../documents/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';

const AccessibleBody = Type.Object(
  {
    pdf: PdfInput,
    ...fieldGroup('AccessibleFields', {
      title: Type.Optional({
        ...propertySchemas.title,
        description: 'The title, which PDF/UA requires. The default is the title of the PDF.',
      }),
      language: Type.Optional({
        ...propertySchemas.language,
        description: 'The language (BCP 47), which PDF/UA requires. The default is the language of the PDF.',
      }),
      report: Type.Optional(
        Type.Boolean({
          description:
            'true: return a document with faults too, without the claim of PDF/UA-1, and list the faults. The default is false, so that a fault is a 400.',
        }),
      ),
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'AccessibleRequest' },
);

const AccessibleResponse = Type.Object(
  {
    ...pdfResponseProperties,
    pdfua: Type.Boolean({ description: 'Whether the PDF claims PDF/UA-1, and a check has confirmed it.' }),
    findings: Type.Array(Type.Object({ clause: Type.String(), message: Type.String() }), {
      description: 'With `report`, the violated clauses of ISO 14289-1; empty if `pdfua` is true.',
    }),
  },
  { title: 'AccessibleResult' },
);

/** The limit of a conversion to PDF/A, which reads as much of the document. */
const TIMEOUT_MS = 60_000;

/** Registers `POST /v1/pdf/accessible`. */
export function accessible({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/accessible',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Make a tagged PDF accessible',
      operationId: 'makePdfAccessible',
      idempotency: 'kept',
      description:
        'Repairs the tags, artifacts, link descriptions, Unicode text and metadata of a tagged PDF, so that it conforms to PDF/UA-1 as far as software can tell, and checks the result. It adds no tags to a PDF without tags.',
      body: jsonOrMultipart(AccessibleBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {},
      examples: { 'with a report': { pdf: samplePdf, title: 'Annual report', language: 'en', report: true } },
      response: {
        schema: AccessibleResponse,
        example: { ...fileExample, pdfua: true, findings: [] },
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { title, language, report: reports = false } = input.body;
      const pdf = await files.load(input);
      const call = tasks.makeAccessible({ pdf, title, language, reports }, { timeoutMs: TIMEOUT_MS });
      const { violations, ...made } = await unwrapTaskResult('pdf', call, TIMEOUT_MS);
      const fields = { pdfua: made.claims.length > 0, findings: violations };
      return files.deliver(input, { operation: 'accessible', ...made, fields });
    },
  );
}
