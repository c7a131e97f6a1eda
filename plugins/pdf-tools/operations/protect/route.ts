import { AppError, jsonOrMultipart } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { requirePasswords } from '../../../documents/exports.ts';
import { fileExample, samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { ProtectResponse, ProtectBody } from './schema.ts';

const FIELDS = { ownerPassword: 'owner_password', userPassword: 'user_password' };

/** The alternative for a PDF that is to be both encrypted and signed. */
export const PROTECT_FIRST =
  'Protect the PDF in another request, with permissions.modifying, and sign its result';

const SWITCHED_OFF =
  'password protection is switched off on this service; nothing was encrypted. The operator can switch it on with plugins.pdf-tools.protect';

/**
 * Registers `POST /v1/pdf/protect`. While protection is switched off, the route does not read the body,
 * because the response is always the same.
 */
export function protect({ routes, sandbox, files, mayProtect }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/protect',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Protect a PDF with passwords',
      operationId: 'protectPdf',
      idempotency: 'kept',
      description:
        'Encrypts a PDF with AES-256 (revision 6). Responds with 501 unless the operator has switched it on with `plugins.pdf-tools.protect`. The passwords are neither stored nor logged.',
      body: jsonOrMultipart(ProtectBody),
      beforeBody: async () => {
        if (mayProtect) return undefined;
        throw new AppError('NOT_IMPLEMENTED', SWITCHED_OFF);
      },
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: {
        adds: 'encryption',
        undoes: {
          pdfa: 'PDF/A does not allow encryption. Leave out one of the two steps',
          certificate: `encrypting would invalidate the signature. ${PROTECT_FIRST}`,
        },
        disabled: mayProtect ? undefined : SWITCHED_OFF,
      },
      examples: {
        'no changes without the owner password': { pdf: samplePdf, owner_password: 'correct horse' },
        'a password to open': {
          pdf: samplePdf,
          owner_password: 'correct horse',
          user_password: 'battery staple',
          permissions: { printing: false },
        },
      },
      response: {
        schema: ProtectResponse,
        example: { ...fileExample, protected: true },
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
    },
    async (input) => {
      const { owner_password: ownerPassword, user_password: userPassword, permissions } = input.body;
      const protection = { ownerPassword, userPassword, permissions };
      requirePasswords(protection, (field) => FIELDS[field]);
      const pdf = await files.markInput(await files.load(input));
      const made = await unwrapTaskResult('pdf', tasks.protect({ pdf, protection }, pdfTaskLimits));
      const fields = { protected: true as const };
      return files.deliver(input, { operation: 'protect', ...made, isMarked: true, fields });
    },
  );
}
