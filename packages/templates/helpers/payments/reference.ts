import { hasCheckDigits } from '@platen/einvoice/iban';
import { reject } from '../definition.ts';

const MAX_WRITTEN_LENGTH = 60;
/** The carry table of the check digit of QR references (modulo 10, recursive). */
const CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];

/** Returns a reference in capitals without spaces, or undefined for text of another form. */
function compactReference(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_WRITTEN_LENGTH) return undefined;
  const reference = value.replaceAll(/\s/g, '').toUpperCase();
  return /^[A-Z\d]+$/.test(reference) ? reference : undefined;
}

/**
 * Reads a creditor reference (ISO 11649). Returns it in capitals without spaces. `condition` completes the
 * message of the error: ` for an IBAN that is not a QR-IBAN`.
 * @throws {HelperFault}
 */
export function readCreditorReference(value: unknown, condition = ''): string {
  const reference = compactReference(value);
  if (reference === undefined || !/^RF\d{2}[A-Z\d]{1,21}$/.test(reference))
    return reject(`reference= as a creditor reference such as "RF18 5390 0754 7034"${condition}`, value);
  if (!hasCheckDigits(reference)) reject('reference= with correct check digits', value);
  return reference;
}

/** Reads a QR reference: 27 digits, of which the last is the check digit. @throws {HelperFault} */
export function readQrReference(value: unknown): string {
  const reference = compactReference(value);
  if (reference === undefined || !/^\d{27}$/.test(reference))
    return reject('reference= as a QR reference of 27 digits for a QR-IBAN', value);
  let carry = 0;
  for (const digit of reference.slice(0, -1)) carry = CARRIES[(carry + Number(digit)) % 10] ?? 0;
  if ((10 - carry) % 10 !== Number(reference.at(-1))) reject('reference= with a correct check digit', value);
  return reference;
}
