import { AppError } from '../../../src/plugin.ts';
import type { DocumentSigner } from '../../documents/contract.ts';
import { readSignature } from './signature-request.ts';
import type { Signing } from './signing.ts';

const OPTION = 'options.signature';

export function createDocumentSigner(signing: Signing): DocumentSigner {
  return {
    check({ level = 'b-b' }) {
      try {
        signing.requireLevel(level);
      } catch (error) {
        throw nameOption(error);
      }
    },
    async open(accountId, { certificate, ...fields }) {
      try {
        const request = readSignature(fields, await signing.findSigner(accountId, certificate));
        return async (pdf) => {
          const signed = signing.sign({ ...request, accountId, pdf: { raw: pdf } });
          return signed.catch((error: unknown) => Promise.reject(nameOption(error)));
        };
      } catch (error) {
        throw nameOption(error);
      }
    },
  };
}

/** Names the option in an error: the field `x` is `options.signature.x`. Other errors stay as they are. */
function nameOption(error: unknown): unknown {
  if (!(error instanceof AppError) || (error.code !== 'VALIDATION_ERROR' && error.code !== 'NOT_FOUND'))
    return error;
  const { code, message, cause } = error;
  const details = error.details.map((detail) => ({
    ...detail,
    path: detail.path === '' || detail.path === 'pdf' ? OPTION : `${OPTION}.${detail.path}`,
  }));
  const [first] = details;
  const text = first ? `${first.path}: ${first.message}` : `${OPTION}.certificate: ${message}`;
  return new AppError(code, text, { details, cause });
}
