import {
  explainTaskFailure,
  invalid,
  newId,
  notFound,
  UnsealError,
  type Collection,
  type FileValue,
  type Log,
  type Sealer,
  type TaskClient,
  findPage,
  type Listed,
  type Page,
} from '../../../src/plugin.ts';
import type { StoredCertificate } from './collections.ts';

const READ_TIMEOUT_MS = 20_000;
/** The maximum number of certificates of an account. */
const MAX_CERTIFICATES = 100;

const READ_FAILURES = {
  deadline: `reading the file takes longer than ${READ_TIMEOUT_MS / 1000} s`,
  memory: 'reading the file exceeds the memory limit; it may be damaged',
  waiting: 'files',
  failed: 'the file could not be read',
};

/** A PKCS#12 file to store. */
export interface CertificateUpload {
  name: string | undefined;
  file: FileValue;
  password: string;
  /** The field of the request that has the file, for errors. */
  field: 'pkcs12' | 'file';
}

/** Stores the certificates of accounts. Treats another account's certificate as not found. */
export interface Certificates {
  /** @throws {AppError} VALIDATION_ERROR that names the field */
  save(accountId: string, upload: CertificateUpload): Promise<StoredCertificate>;
  /** Lists the certificates of an account, newest first. */
  list(accountId: string, page: Page): Promise<Listed<StoredCertificate>>;
  /** @throws {AppError} NOT_FOUND */
  get(accountId: string, id: string): Promise<StoredCertificate>;
  /** Deletes a certificate with its key. @throws {AppError} NOT_FOUND */
  remove(accountId: string, id: string): Promise<void>;
  /**
   * Decrypts the private key of a certificate: PKCS#8 in DER.
   * @throws {AppError} VALIDATION_ERROR if PLATEN_SECRET has changed
   */
  unsealKey(stored: StoredCertificate): Uint8Array;
}

export function createCertificates({
  certificates,
  sealer,
  tasks,
  log,
}: {
  certificates: Collection<StoredCertificate>;
  sealer: Sealer;
  tasks: TaskClient<typeof import('./task.ts')>;
  log: Log;
}): Certificates {
  return {
    async save(accountId, { name, file, password, field }) {
      const result = await tasks
        .readUpload({ file, password }, { timeoutMs: READ_TIMEOUT_MS })
        .catch((error: unknown) => {
          throw explainTaskFailure(error, { ...READ_FAILURES, path: field });
        });
      if (!result.ok) throw invalid(result.part === 'password' ? 'password' : field, result.message);
      const { privateKey, certificate, chain, ...described } = result.value;
      requireValidity(described, field);
      if ((await certificates.count({ accountId })) >= MAX_CERTIFICATES)
        throw invalid(field, `the account has ${MAX_CERTIFICATES} certificates: delete one that is not used`);
      const id = newId('cert_');
      const stored: StoredCertificate = {
        id,
        accountId,
        ...described,
        name: name ?? described.commonName,
        certificate: encode(certificate),
        chain: chain.map(encode),
        sealedKey: sealer.seal(id, encode(privateKey)),
        createdAt: Date.now(),
      };
      await certificates.insert(stored);
      return stored;
    },
    list: (accountId, page) =>
      findPage(certificates, { where: { accountId }, at: (id) => ({ accountId, id }), page }),
    async get(accountId, id) {
      const stored = await certificates.get(id);
      if (stored?.accountId !== accountId) throw notFound('certificate');
      return stored;
    },
    async remove(accountId, id) {
      if ((await certificates.delete({ id, accountId })) === 0) throw notFound('certificate');
    },
    unsealKey({ id, sealedKey }) {
      try {
        return Buffer.from(sealer.unseal(id, sealedKey), 'base64');
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        log.error(
          { certificate: id },
          'the key of a certificate cannot be decrypted; PLATEN_SECRET has changed',
        );
        throw invalid(
          'certificate',
          `the key of ${id} cannot be decrypted, because the secret of the service has changed: upload the certificate again`,
        );
      }
    },
  };
}

/** Checks that a certificate is valid now. @throws {AppError} VALIDATION_ERROR that names `field` */
export function requireValidity(
  { notBefore, notAfter }: Pick<StoredCertificate, 'notBefore' | 'notAfter'>,
  field: string,
): void {
  const now = Date.now();
  if (now > notAfter) throw invalid(field, `the certificate expired on ${new Date(notAfter).toISOString()}`);
  if (now < notBefore)
    throw invalid(field, `the certificate is not valid before ${new Date(notBefore).toISOString()}`);
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
