import { isMissing, optionOf } from '../arguments.ts';
import { HelperFault, reject, type HelperCall } from '../definition.ts';
import { COUNTRIES, EEA, SEPA } from './countries.ts';
import { readAmount, readLine, requireFit } from './fields.ts';
import { readIban } from './iban.ts';
import { readCreditorReference } from './reference.ts';

/** A credit transfer in euro, checked. */
export interface CreditTransfer {
  name: string;
  iban: string;
  /** With two decimals. Empty if the payer enters it. */
  amount: string;
  /** The content of the QR code. */
  payload: string;
}

/** The maximum size of the content: version 13 of QR codes with error correction level M. */
const MAX_BYTES = 331;
/** Letters of the character sets that the guideline lists: Latin, Greek and Cyrillic. */
const CHARACTERS = /[\x20-\x7e\u00a1-\u017f\u0218-\u021b\u0370-\u04ff\u1e00-\u1fff€]/;
const SCRIPT = 'Latin, Greek or Cyrillic letters';

/**
 * Reads the options of a call as a SEPA credit transfer, and writes the content of its QR code: EPC069-12,
 * version 002, character set UTF-8.
 * @throws {HelperFault}
 */
export function readCreditTransfer(call: HelperCall): CreditTransfer {
  const text = (name: string, maxLength: number, joinLines = false) =>
    readLine(optionOf(call, name), {
      subject: `${name}=`,
      maxLength,
      characters: CHARACTERS,
      script: SCRIPT,
      joinLines,
    });
  const name = text('name', 70) || reject('name= as the name of the payee', optionOf(call, 'name'));
  const iban = readIban(optionOf(call, 'iban'));
  if (!SEPA.has(iban.slice(0, 2))) reject('iban= of a country in SEPA', optionOf(call, 'iban'));
  const bic = readBic(optionOf(call, 'bic'), iban);
  const amount = readAmount(optionOf(call, 'amount')) ?? '';
  const written = optionOf(call, 'reference');
  const reference = isMissing(written) ? '' : readCreditorReference(written);
  const message = text('text', 140, true);
  if (reference !== '' && message !== '') throw new HelperFault('takes either reference= or text=, not both');
  const purpose = '';
  const lines = [
    'BCD',
    '002',
    '1',
    'SCT',
    bic,
    name,
    iban,
    amount === '' ? '' : `EUR${amount}`,
    purpose,
    reference,
    message,
  ];
  while (lines.at(-1) === '') lines.pop();
  const payload = lines.join('\n');
  requireFit(payload, MAX_BYTES, 'a payment code');
  return { name, iban, amount, payload };
}

function readBic(value: unknown, iban: string): string {
  const country = iban.slice(0, 2);
  if (isMissing(value)) return EEA.has(country) ? '' : reject(`bic= for an account in ${country}`, value);
  const bic = typeof value === 'string' && value.length < 40 ? value.replaceAll(/\s/g, '').toUpperCase() : '';
  const isBic = /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(bic);
  return isBic && COUNTRIES.has(bic.slice(4, 6)) ? bic : reject('bic= as a BIC such as "COBADEFFXXX"', value);
}
