import { expect, test } from 'bun:test';
import { extendedInvoices } from './tests/extended-invoices.ts';
import { readInvoice, writeInvoice } from './index.ts';

test.each(extendedInvoices.map((one) => [one.name, one] as const))(
  'an invoice of the profile EXTENDED with %s is judged as the profile does',
  (_, { xml, rules }) => {
    const { profile, valid, findings } = readInvoice(xml);
    expect([profile, valid]).toEqual(['extended', rules === null ? null : rules.length === 0]);
    expect(findings.map(({ rule }) => rule)).toEqual(rules ?? []);
  },
);

test('a logistics charge is read as a document level charge, which can be written again', () => {
  const { data, findings } = readInvoice(extendedInvoices[0]?.xml ?? '');
  expect(findings).toEqual([]);
  expect(data).toMatchObject({
    'ubl:Invoice': {
      'cac:AllowanceCharge': [
        {
          'cbc:ChargeIndicator': 'true',
          'cbc:Amount': '25.50',
          'cbc:AllowanceChargeReason': 'Freight',
          'cac:TaxCategory': { 'cbc:ID': 'S', 'cbc:Percent': '19' },
        },
      ],
    },
  });
  const { xml } = writeInvoice(data, { profile: 'extended' });
  expect(readInvoice(new TextDecoder().decode(xml)).valid).toBe(true);
});

test('in another profile, a logistics charge is unknown', () => {
  const id = 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended';
  const { findings } = readInvoice((extendedInvoices[0]?.xml ?? '').replace(id, 'urn:cen.eu:en16931:2017'));
  expect(findings.map(({ rule }) => rule)).toContain('BR-CO-12');
});
