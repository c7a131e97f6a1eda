import type { Asn1 } from './asn1.ts';

/** The short names of attributes (RFC 4514, RFC 5280 A.1). */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '1.2.840.113549.1.9.1': 'emailAddress',
  '0.9.2342.19200300.100.1.25': 'DC',
};

const MAX_CHARACTERS = 500;

/** Returns the attributes of a distinguished name, the last and most specific first, as RFC 4514 orders them. */
export function nameText(name: Asn1): { type: string; text: string }[] {
  return name.items
    .flatMap((set) => set.items)
    .toReversed()
    .map((attribute) => {
      const id = attribute.at(0).oid;
      return { type: SHORT_NAMES[id] ?? id, text: readable(attribute.at(1).text) };
    });
}

function readable(text: string): string {
  const start = text.slice(0, MAX_CHARACTERS).toWellFormed();
  // oxlint-disable-next-line no-control-regex -- the expression matches control characters
  return start.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}
