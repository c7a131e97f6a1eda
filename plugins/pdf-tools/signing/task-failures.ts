import { explainTaskFailure } from '../../../src/plugin.ts';

const FAILURES = {
  path: 'certificate',
  deadline: 'signing takes too long',
  memory: 'signing exceeds the memory limit; the certificate may be damaged',
  waiting: 'signatures',
  failed: 'the signature could not be made',
};

/** Returns the result of a task on certificates, or throws the error for the caller. @throws {AppError} */
export async function unwrapSigningTask<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw explainTaskFailure(error, FAILURES);
  });
}
