import { AppError } from '../../../../src/plugin.ts';
import type { OperationContext } from '../../operation.ts';

/** Adds `POST /v1/pdf/protect`. It describes no body, so that none is read: the answer is the same to all. */
export function protect({ routes }: OperationContext): void {
  routes.post(
    '/v1/pdf/protect',
    {
      summary: 'Protect a PDF with a password (not implemented)',
      description: 'Answers 501 to every call; nothing is encrypted.',
      errors: ['NOT_IMPLEMENTED'],
    },
    () => {
      throw new AppError('NOT_IMPLEMENTED', 'password protection is not implemented; nothing was encrypted');
    },
  );
}
