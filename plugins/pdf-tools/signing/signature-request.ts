import { invalid } from '../../../src/plugin.ts';
import type { SignatureOption } from '../../documents/contract.ts';
import type { Signer } from './signer.ts';
import type { SigningRequest } from './signing.ts';
import { cleanText, isVisible, type StampText } from './stamp.ts';

/** The fields of a request that signs: of `POST /v1/pdf/sign`, and of the option `signature`. */
export type SignatureFields = Omit<SignatureOption, 'certificate' | 'page'> & { page?: unknown };

/**
 * Reads the settings of a signature from a request. @throws {AppError} VALIDATION_ERROR that names the field
 */
export function readSignature(
  fields: SignatureFields,
  signer: Signer,
): Omit<SigningRequest, 'accountId' | 'pdf'> {
  const { level = 'b-b', visible = true, certify = null, field } = fields;
  return {
    signer,
    level,
    certify,
    field,
    text: readStampText(fields, fields.name ?? signer.name),
    visible: visible ? stampPlacement(fields) : undefined,
  };
}

/** Returns the page and the box of a stamp. */
export function stampPlacement({ page = 0, x = 50, y = 50, width = 200, height = 60 }: SignatureFields) {
  return { page, x, y, width, height };
}

/** Reads the texts of a stamp. @throws {AppError} VALIDATION_ERROR that names the field */
export function readStampText(
  { reason = '', location = '', contact = '' }: SignatureFields,
  name: string,
): StampText {
  const text = {
    name: cleanText(name),
    reason: cleanText(reason),
    location: cleanText(location),
    contact: cleanText(contact),
  };
  if (!isVisible(text.name)) throw invalid('name', 'must contain a visible character');
  return text;
}
