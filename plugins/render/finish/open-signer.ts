import { AppError } from '../../../src/plugin.ts';
import type { SignatureSetting, SignPdf } from '../../documents/contract.ts';
import type { DocumentRequest } from '../contract.ts';

/** Finds the certificate of the option `signature`. @throws {AppError} NOT_FOUND; VALIDATION_ERROR */
export async function openSigner(
  { signing }: { signing: SignatureSetting },
  { accountId, request: { options } }: { accountId: string; request: Pick<DocumentRequest, 'options'> },
): Promise<SignPdf | undefined> {
  const signature = options?.signature;
  if (!signature) return undefined;
  // A batch can run after a restart with other settings.
  if (!signing.signer)
    throw new AppError('VALIDATION_ERROR', 'options.signature: needs the plugin "pdf-tools", which is off');
  return signing.signer.open(accountId, signature);
}
