import { AppError, invalid, jsonOrMultipart } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext, OperationInput } from '../../operation.ts';
import { stampPlacement, readSignature, readStampText } from '../../signing/signature-request.ts';
import { describeStamp, drawStamp } from '../../signing/stamp.ts';
import { PROTECT_FIRST } from '../protect/route.ts';
import { SignResponse, SignBody } from './schema.ts';

/** Registers `POST /v1/pdf/sign`. The plugin `render` draws the stamp. */
export function sign({ routes, sandbox, files, render, signing }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/sign',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Sign a PDF',
      operationId: 'signPdf',
      idempotency: 'kept',
      description:
        'With `certificate`, adds a cryptographic signature (PAdES) that reveals later changes, with a stamp unless `visible` is false. Without it, adds only a stamp with name, reason, location, contact and date. Existing cryptographic signatures stay valid; if they forbid the change, the response is 400.',
      body: jsonOrMultipart(SignBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {
        adds: ({ certificate }) => (certificate === undefined ? 'signature' : 'certificate'),
        keepsSignatures: true,
        undoes: ({ certificate }) =>
          certificate === undefined
            ? {
                pdfa: 'the stamp is not PDF/A. Sign first, then convert',
                certificate:
                  'the stamp is an annotation, which the signature does not allow. Stamp first, then sign with the certificate',
              }
            : { encryption: `the file is encrypted then. ${PROTECT_FIRST}` },
      },
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
        schema: SignResponse,
        example: { ...fileExample, signed: true, signature_annotation_added: true },
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED', 'TSA_ERROR'],
    },
    async (input) => {
      if (input.body.certificate !== undefined) return signWith(input.body.certificate, input);
      requireNoCertificateFields(input.body);
      return stamp(input);
    },
  );

  async function stamp(input: OperationInput<SignBody>) {
    const { account, body } = input;
    if (!render) throw new AppError('NOT_IMPLEMENTED', 'signing needs the plugin "render", which is off');
    if (body.name === undefined) throw invalid('name', 'is required');
    const text = readStampText(body, body.name);
    const pdf = await files.load(input);
    const at = Date.now();
    const { page, ...box } = stampPlacement(body);
    const drawn = await drawStamp(render, { accountId: account.id, text, at, size: box });
    const request = {
      page,
      box,
      id: `platen-signature-${crypto.randomUUID()}`,
      author: text.name,
      contents: describeStamp(text, at),
      at,
      appearance: drawn,
    };
    const signed = await unwrapTaskResult('pdf', tasks.sign({ pdf, ...request }, pdfTaskLimits));
    const fields = { signed: true, signature_annotation_added: true };
    return files.deliver(input, { operation: 'sign', ...signed, fields });
  }

  async function signWith(certificate: string, input: OperationInput<SignBody>) {
    const { account, body } = input;
    signing.requireLevel(body.level ?? 'b-b');
    const request = readSignature(body, await signing.findSigner(account.id, certificate));
    const pdf = await files.markInput(await files.load(input));
    const { field, ...made } = await signing.sign({ ...request, accountId: account.id, pdf });
    const fields = {
      signed: true,
      signature_annotation_added: request.visible !== undefined,
      level: request.level,
      field,
    };
    return files.deliver(input, { operation: 'sign', ...made, isMarked: true, fields });
  }
}

/** Rejects fields that would have no effect on a stamp. @throws {AppError} VALIDATION_ERROR */
function requireNoCertificateFields(body: SignBody): void {
  for (const field of ['level', 'visible', 'certify', 'field'] as const)
    if (body[field] !== undefined)
      throw invalid(field, 'needs certificate: without one, only a stamp is added');
}
