import { jsonOrMultipart, RawJson } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, unwrapTaskResult } from '../../../files/exports.ts';
import { samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { ValidateResponse, ValidateBody } from './schema.ts';

/** The limit of a conversion to PDF/A, which ends with the same check. */
const TIMEOUT_MS = 60_000;

/** An example response of `POST /v1/pdf/validate`. */
const validateExample = {
  claims: ['pdfa-1b', 'pdfua-2'],
  results: [
    {
      profile: 'pdfa-1b',
      valid: false,
      findings: [{ clause: '6.3.4', message: 'the font Arial is not embedded' }],
    },
    {
      profile: 'pdfua-2',
      valid: null,
      findings: [],
      message: 'pdfua-2 cannot be checked; the supported profiles are pdfa-1b, pdfa-2b and others',
    },
  ],
};

/** Registers `POST /v1/pdf/validate`. */
export function validate({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/validate',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Check the profiles that a PDF claims',
      operationId: 'validatePdf',
      idempotency: { ignored: 'reads a PDF and stores nothing' },
      description:
        'Reads the profiles that a PDF claims (PDF/A, PDF/UA, Factur-X, signatures), and checks them, or checks only `profile`. The levels B and U of PDF/A-1 to PDF/A-3 are checked clause by clause, and the invoice of a Factur-X file against the rules of EN 16931. `valid` is null for a profile that cannot be checked.',
      body: jsonOrMultipart(ValidateBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: { result: 'other' },
      examples: { 'a profile': { pdf: samplePdf, profile: 'pdfa-1b' } },
      response: { schema: ValidateResponse, example: validateExample },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { profile } = input.body;
      const pdf = await files.load(input);
      const call = tasks.validate({ pdf, profile }, { timeoutMs: TIMEOUT_MS });
      return new RawJson(await unwrapTaskResult('pdf', call, TIMEOUT_MS));
    },
  );
}
