import { isMissing } from '../arguments.ts';
import { reject } from '../definition.ts';

/** The length of the IBANs of each country (ISO 13616, IBAN registry). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 ' +
    'EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 ' +
    'IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 ' +
    'NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 ' +
    'SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const EXAMPLE = 'DE89 3704 0044 0532 0130 00';
const MAX_WRITTEN_LENGTH = 60;

/**
 * Reads an IBAN in capitals or small letters, with or without spaces. Returns it in capitals without spaces.
 * @throws {HelperFault} for a wrong length or wrong check digits, and for a country without IBANs.
 */
export function readIban(value: unknown): string {
  if (isMissing(value) || typeof value !== 'string' || value.length > MAX_WRITTEN_LENGTH)
    return reject(`iban= as an IBAN such as "${EXAMPLE}"`, value);
  const iban = value.replaceAll(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) reject(`iban= as an IBAN such as "${EXAMPLE}"`, value);
  const country = iban.slice(0, 2);
  const length = LENGTHS.get(country) ?? reject('iban= of a country with IBANs', value);
  if (iban.length !== length) reject(`iban= of ${country} with ${length} characters`, value);
  if (!hasCheckDigits(iban)) reject('iban= with correct check digits', value);
  return iban;
}

/** Checks ISO 7064 MOD 97-10, with the check digits as the third and fourth character. */
export function hasCheckDigits(code: string): boolean {
  let remainder = 0;
  for (const character of code.slice(4) + code.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return remainder === 1;
}

/** Groups characters in fours, as IBANs and creditor references are printed. */
export function inFours(code: string): string {
  return code.replaceAll(/.{4}(?=.)/g, '$& ');
}
