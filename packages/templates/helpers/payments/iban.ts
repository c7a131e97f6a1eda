import { compactIban, EXAMPLE_IBAN, faultOfIban, MAX_WRITTEN_IBAN } from '@platen/einvoice/iban';
import { isMissing } from '../arguments.ts';
import { reject } from '../definition.ts';

const SHAPE = `iban= as an IBAN such as "${EXAMPLE_IBAN}"`;

/**
 * Reads an IBAN in capitals or small letters, with or without spaces. Returns it in capitals without spaces.
 * @throws {HelperFault} for a wrong length or wrong check digits, and for a country without IBANs.
 */
export function readIban(value: unknown): string {
  if (isMissing(value) || typeof value !== 'string' || value.length > MAX_WRITTEN_IBAN)
    return reject(SHAPE, value);
  const iban = compactIban(value);
  const fault = faultOfIban(iban);
  switch (fault?.kind) {
    case undefined:
      return iban;
    case 'form':
      return reject(SHAPE, value);
    case 'country':
      return reject('iban= of a country with IBANs', value);
    case 'length':
      return reject(`iban= of ${fault.country} with ${fault.length} characters`, value);
    case 'check digits':
      return reject('iban= with correct check digits', value);
  }
}

/** Groups characters in fours, as IBANs and creditor references are printed. */
export function inFours(code: string): string {
  return code.replaceAll(/.{4}(?=.)/g, '$& ');
}
