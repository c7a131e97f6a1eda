import { choiceOption, fieldOf, isMissing, optionOf } from '../arguments.ts';
import { HelperFault, reject, type HelperCall } from '../definition.ts';
import { COUNTRIES } from './countries.ts';
import { readAmount, readLine, requireFit } from './fields.ts';
import { readIban } from './iban.ts';
import { readCreditorReference, readQrReference } from './reference.ts';

/** A structured address (type S). */
export interface Address {
  name: string;
  street: string;
  houseNumber: string;
  postcode: string;
  town: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** A Swiss QR-bill, checked. */
export interface SwissBill {
  iban: string;
  creditor: Address;
  /** With two decimals. Undefined if the payer enters it. */
  amount: string | undefined;
  currency: 'CHF' | 'EUR';
  /** Undefined if the payer enters it. */
  debtor: Address | undefined;
  /** QR reference, creditor reference (ISO 11649), or without reference. */
  referenceType: 'QRR' | 'SCOR' | 'NON';
  reference: string;
  message: string;
}

/** The characters that the guidelines permit: Latin letters with the accents of Europe. */
const CHARACTERS = /[\x20-\x7e\u00a1-\u017f\u0218-\u021b€]/;
const SCRIPT = 'Latin letters';
/** The largest content: version 25 of QR codes with error correction level M. */
const MAX_BYTES = 997;
const FIELDS = 'name, street, house_number, postcode, town and country';
const SHAPE = `an object with ${FIELDS}`;

/**
 * Reads the options of a call as a Swiss QR-bill (SIX Implementation Guidelines for the QR-bill 2.3).
 * @throws {HelperFault}
 */
export function readSwissBill(call: HelperCall): SwissBill {
  const iban = readIban(optionOf(call, 'iban'));
  if (!/^(?:CH|LI)/.test(iban)) reject('iban= of Switzerland or Liechtenstein', optionOf(call, 'iban'));
  const creditor = readAddress(call, 'creditor');
  if (!creditor) throw new HelperFault(`takes creditor=, which is required, as ${SHAPE}`);
  return {
    iban,
    creditor,
    amount: readAmount(optionOf(call, 'amount')),
    currency: choiceOption(call, 'currency', ['CHF', 'EUR']) ?? 'CHF',
    debtor: readAddress(call, 'debtor'),
    ...readReference(optionOf(call, 'reference'), iban),
    message: readLine(optionOf(call, 'message'), {
      subject: 'message=',
      maxLength: 140,
      characters: CHARACTERS,
      script: SCRIPT,
      joinLines: true,
    }),
  };
}

/** A QR-IBAN, with an institution number from 30000 to 31999, takes a QR reference; others take none. */
function readReference(value: unknown, iban: string): Pick<SwissBill, 'referenceType' | 'reference'> {
  const isQrIban = /^.{4}3[01]/.test(iban);
  if (isQrIban) return { referenceType: 'QRR', reference: readQrReference(value) };
  if (isMissing(value)) return { referenceType: 'NON', reference: '' };
  const reference = readCreditorReference(value, ' for an IBAN that is not a QR-IBAN');
  return { referenceType: 'SCOR', reference };
}

/**
 * Reads a payee or payer. Its fields other than the name may be in `address`, as those of the parties of an
 * invoice are, and the town may be `city`.
 */
function readAddress(call: HelperCall, option: string): Address | undefined {
  const value = optionOf(call, option);
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) reject(`${option}= as ${SHAPE}`, value);
  const inner = fieldOf(value, ['address']);
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  const isNested = isObject && isMissing(fieldOf(value, ['postcode']));
  const field = (name: string, maxLength: number, isRequired = false) => {
    const path = isNested && name !== 'name' ? ['address', name] : [name];
    const subject = [option, ...path].join('.');
    const written = fieldOf(value, path);
    const line = readLine(written, { subject, maxLength, characters: CHARACTERS, script: SCRIPT });
    if (line === '' && isRequired)
      throw new HelperFault(`takes ${subject}, which is required: a structured address has ${FIELDS}`);
    if (name === 'country' && !COUNTRIES.has(line.toUpperCase()))
      reject(`${subject} as a code of two letters such as "CH"`, written);
    return line;
  };
  return {
    name: field('name', 70, true),
    street: field('street', 70),
    houseNumber: field('house_number', 16),
    postcode: field('postcode', 16, true),
    town: field('town', 35) || field('city', 35) || field('town', 35, true),
    country: field('country', 70, true).toUpperCase(),
  };
}

/** Writes the content of the QR code: version 0200, character set UTF-8. @throws {HelperFault} */
export function swissPayload(bill: SwissBill): string {
  const { iban, creditor, amount = '', currency, debtor, referenceType, reference, message } = bill;
  const noAddress = Array.from({ length: 7 }, () => '');
  const payload = [
    'SPC',
    '0200',
    '1',
    iban,
    ...addressLines(creditor),
    // The ultimate creditor is for future use.
    ...noAddress,
    amount,
    currency,
    ...(debtor ? addressLines(debtor) : noAddress),
    referenceType,
    reference,
    message,
    'EPD',
  ].join('\n');
  requireFit(payload, MAX_BYTES, 'a Swiss QR code');
  return payload;
}

function addressLines({ name, street, houseNumber, postcode, town, country }: Address): string[] {
  return ['S', name, street, houseNumber, postcode, town, country];
}
