import { AppError, type TaskClient } from '../../../src/plugin.ts';
import type { Certificates } from '../certificates/service.ts';
import { requireValidity } from '../certificates/service.ts';
import { unwrapSigningTask } from './task-failures.ts';

/**
 * Signs with one private key, wherever the key is: in the database, or in a key management service or a
 * hardware module that the operator connects.
 */
export interface Signer {
  /** The name of the signer, from the certificate. */
  name: string;
  /** The certificate and the certificates of its issuers, in DER. */
  certificate: Uint8Array;
  chain: readonly Uint8Array[];
  /**
   * Hashes data with the digest of the key, and returns the signature: PKCS#1 v1.5 for RSA, DER for ECDSA.
   * @throws {AppError}
   */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

/**
 * Finds the signer of a request.
 * @throws {AppError} NOT_FOUND for an unknown signer; VALIDATION_ERROR for a signer that cannot sign now
 */
export type FindSigner = (accountId: string, certificate: string) => Promise<Signer>;

/** Names the field and the id in the error for an unknown certificate. */
export function nameUnknown(find: FindSigner): FindSigner {
  return async (accountId, certificate) => {
    try {
      return await find(accountId, certificate);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      const message = `certificate ${certificate} not found`;
      throw new AppError('NOT_FOUND', message, { details: [{ path: 'certificate', message }] });
    }
  };
}

const SIGN_TIMEOUT_MS = 20_000;

/**
 * Finds certificates of accounts. A key is decrypted for each signature, and handed to a task that does not
 * see the PDF.
 */
export function storedSigners(
  certificates: Certificates,
  tasks: TaskClient<typeof import('./task.ts')>,
): FindSigner {
  return async (accountId, id) => {
    const stored = await certificates.get(accountId, id);
    requireValidity(stored, 'certificate');
    const certificate = Buffer.from(stored.certificate, 'base64');
    return {
      name: stored.commonName,
      certificate,
      chain: stored.chain.map((der) => Buffer.from(der, 'base64')),
      async sign(data) {
        const privateKey = certificates.unsealKey(stored);
        const limits = { timeoutMs: SIGN_TIMEOUT_MS };
        return unwrapSigningTask(tasks.signWithKey({ privateKey, certificate, data }, limits));
      },
    };
  };
}
