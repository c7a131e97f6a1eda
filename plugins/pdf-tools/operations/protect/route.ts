import { AppError } from '../../../../src/plugin.ts';
import type { OperationContext } from '../../operation.ts';

/** Registers `POST /v1/pdf/protect`. It declares no body, so none is read: the response is always the same. */
export function protect({ routes }: OperationContext): void {
  routes.post(
    '/v1/pdf/protect',
    {
      summary: 'Protect a PDF with a password (not implemented)',
      operationId: 'protectPdf',
      description: 'Always responds with 501.',
      errors: ['NOT_IMPLEMENTED'],
    },
    () => {
      throw new AppError('NOT_IMPLEMENTED', 'password protection is not implemented; nothing was encrypted');
    },
  );
}
