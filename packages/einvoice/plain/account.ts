import { beginsAsIban, compactIban, EXAMPLE_IBAN, faultOfIban, MAX_WRITTEN_IBAN } from '../data/iban.ts';

/** The account of a plain invoice, or its fault. */
export type Account = { number: unknown; fault?: undefined } | { fault: string };

/**
 * Reads an account: an IBAN, with or without spaces, or another account number, which does not begin with the
 * code of a country with IBANs and two digits. Values of other types are checked later.
 */
export function readAccount(value: unknown): Account {
  if (typeof value !== 'string' || value.length > MAX_WRITTEN_IBAN) return { number: value };
  const iban = compactIban(value);
  if (!beginsAsIban(iban)) return { number: value };
  const fault = faultOfIban(iban);
  switch (fault?.kind) {
    case undefined:
      return { number: iban };
    case 'form':
    case 'country':
      return { fault: `must be an IBAN such as "${EXAMPLE_IBAN}"` };
    case 'length':
      return { fault: `must have ${fault.length} characters, as an IBAN of ${fault.country}` };
    case 'check digits':
      return { fault: 'must be an IBAN with correct check digits' };
  }
}
