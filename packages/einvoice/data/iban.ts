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

/** An IBAN as people write it. */
export const EXAMPLE_IBAN = 'DE89 3704 0044 0532 0130 00';
/** The limit on the characters of an IBAN with its spaces. */
export const MAX_WRITTEN_IBAN = 60;

/** The fault of a text that should be an IBAN. `length` is the length in its country. */
export type IbanFault =
  | { kind: 'form' | 'country' | 'check digits' }
  | { kind: 'length'; country: string; length: number };

/** Returns an IBAN in capitals and without spaces, as it is sent to banks. */
export function compactIban(written: string): string {
  return written.replaceAll(/\s/g, '').toUpperCase();
}

/** Tells whether a text begins with a country that has IBANs and two digits. */
export function beginsAsIban(compact: string): boolean {
  return LENGTHS.has(compact.slice(0, 2)) && /^\d\d/.test(compact.slice(2));
}

/** Finds the fault of an IBAN in capitals and without spaces; `undefined` if it is correct. */
export function faultOfIban(iban: string): IbanFault | undefined {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return { kind: 'form' };
  const country = iban.slice(0, 2);
  const length = LENGTHS.get(country);
  if (length === undefined) return { kind: 'country' };
  if (iban.length !== length) return { kind: 'length', country, length };
  return hasCheckDigits(iban) ? undefined : { kind: 'check digits' };
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
