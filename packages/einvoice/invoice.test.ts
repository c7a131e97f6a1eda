import { describe, expect, test } from 'bun:test';
import { invoice, line, seller } from './tests/build-invoice.ts';
import { faultyInvoices } from './tests/faulty-invoices.ts';
import { validInvoices } from './tests/valid-invoices.ts';
import { INVOICE_PROFILES, readInvoice, ruleIds, writeInvoice, type InvoiceSyntax } from './index.ts';
import { RULES } from './rules/check.ts';

const read = (xml: Uint8Array | undefined) => readInvoice(new TextDecoder().decode(xml));
const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));

describe('invoices', () => {
  test.each(validInvoices.map((one) => [`${one.profile}: ${one.name}`, one] as const))(
    '%s',
    (_, { profile, data, payable }) => {
      const { findings, xml, data: completed } = writeInvoice(data, { profile });
      expect(findings).toBeUndefined();
      expect(completed).toMatchObject({
        'ubl:Invoice': { 'cac:LegalMonetaryTotal': { 'cbc:PayableAmount': payable } },
      });
      const result = read(xml);
      expect([result.profile, result.syntax, result.findings]).toEqual([profile, 'cii', []]);
      // The XML of a smaller profile omits some terms.
      if (['en16931', 'extended', 'xrechnung'].includes(profile))
        expect(plain(result.data)).toEqual(plain(completed));
    },
  );

  test('in UBL are read with the data that was written', () => {
    for (const { profile, data } of validInvoices.filter((one) => one.profile === 'en16931')) {
      const { xml, data: completed } = writeInvoice(data, { profile, syntax: 'ubl' });
      const result = read(xml);
      expect([result.syntax, result.findings]).toEqual(['ubl', []]);
      const isCreditNote = JSON.stringify(data).includes('"381"');
      if (!isCreditNote) expect(plain(result.data)).toEqual(plain(completed));
    }
  });

  test('with many long unknown names have at most 100 findings with short paths', () => {
    const names = Array.from({ length: 200 }, (_, index) => [`${index}${'x'.repeat(10_000)}`, '1']);
    const data = { 'ubl:Invoice': Object.fromEntries(names) };
    const { findings = [] } = writeInvoice(data, { profile: 'en16931' });
    expect(findings.length).toBe(100);
    expect(Math.max(...findings.map(({ path }) => path.length))).toBeLessThan(200);
  });

  test('a credit note in UBL is a CreditNote', () => {
    const data = invoice({ 'cbc:InvoiceTypeCode': '381', 'cac:ProjectReference': { 'cbc:ID': 'P-1' } });
    const { xml } = writeInvoice(data, { profile: 'en16931', syntax: 'ubl' });
    const text = new TextDecoder().decode(xml);
    expect(text).toContain('<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"');
    expect(text).toContain('<cbc:CreditedQuantity unitCode="HUR">10</cbc:CreditedQuantity>');
    expect(text).toContain('<cbc:PaymentDueDate>2026-12-22</cbc:PaymentDueDate>');
    expect(read(xml).data).toMatchObject({ 'ubl:Invoice': { 'cbc:DueDate': '2026-12-22' } });
  });

  test.each(faultyInvoices.map((one) => [one.rule, one] as const))(
    'that violate %s are rejected with the path of the violation',
    (rule, { data, profile, path }) => {
      const { findings = [] } = writeInvoice(data, { profile });
      expect(findings).toContainEqual({ rule, path, message: expect.any(String) });
    },
  );

  test('an invoice without a specification identifier violates BR-01', () => {
    const { xml } = writeInvoice(invoice(), { profile: 'en16931' });
    const text = new TextDecoder().decode(xml);
    const { profile, findings } = readInvoice(text.replace('urn:cen.eu:en16931:2017', ''));
    const path = 'ubl:Invoice.cbc:CustomizationID';
    expect([profile, findings]).toEqual([null, [{ rule: 'BR-01', path, message: expect.any(String) }]]);
  });

  test('each rule of every profile has a faulty invoice', () => {
    const tested = new Set(['BR-01', ...faultyInvoices.map(({ rule }) => rule)]);
    const rules = new Set(INVOICE_PROFILES.flatMap(ruleIds));
    expect([...rules].filter((id) => !tested.has(id))).toEqual([]);
    expect(rules.size).toBeGreaterThan(230);
  });

  test('a tax registration without a number does not identify a seller', () => {
    const anonymous = { ...seller, 'cac:PartyTaxScheme': [{ 'cac:TaxScheme': { 'cbc:ID': 'VAT' } }] };
    const data = invoice({ 'cac:AccountingSupplierParty': { 'cac:Party': anonymous } });
    const { findings = [] } = writeInvoice(data, { profile: 'en16931' });
    expect(findings.map(({ rule }) => rule)).toEqual(['BR-CO-26', 'BR-S-02']);
  });

  test('the tables contain every rule of EN 16931', () => {
    const ids = RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const numbers = (prefix: string, all: readonly number[]) =>
      all.map((number) => `${prefix}-${String(number).padStart(2, '0')}`);
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    expect(ids).toEqual(
      expect.arrayContaining([
        // The standard has no rules BR-34, 35, 39, 40 and 58 to 60.
        ...numbers('BR', [...range(1, 33), 36, 37, 38, ...range(41, 57), ...range(61, 65)]),
        // A program cannot check BR-CO-05 to BR-CO-08, which compare a text with a code.
        ...numbers('BR-CO', [3, 4, ...range(9, 26)]),
        ...numbers('BR-DEC', [1, 2, 5, 6, ...range(9, 20), 23, 24, 25, 27, 28]),
        ...['S', 'Z', 'E', 'AE', 'IC', 'G', 'O', 'AF', 'AG'].flatMap((prefix) =>
          numbers(`BR-${prefix}`, range(1, 10)),
        ),
        ...numbers('BR-IC', [11, 12]),
        ...numbers('BR-O', range(11, 14)),
        ...numbers('BR-B', [1, 2]),
      ]),
    );
  });

  test('data of another shape is rejected with the path', () => {
    const faultOf = (data: unknown) => {
      const [first] = writeInvoice(data, { profile: 'en16931' }).findings ?? [];
      return `${first?.rule} ${first?.path}: ${first?.message}`;
    };
    for (const data of [null, [], 'x', {}, { 'ubl:Invoice': 3 }])
      expect(faultOf(data)).toStartWith('FORMAT : must be an invoice: ');
    expect(faultOf({ ...invoice(), number: '1' })).toStartWith('FORMAT number: must not stand beside');
    expect(faultOf(invoice({ 'cbc:Id': '1' }))).toBe(
      'FORMAT ubl:Invoice.cbc:Id: is unknown: did you mean "cbc:ID"?',
    );
    expect(faultOf(invoice({ 'cbc:IssueDate': '2026-02-30' }))).toBe(
      'FORMAT ubl:Invoice.cbc:IssueDate: must be a date such as "2026-11-22"',
    );
    expect(faultOf(invoice({ 'cac:InvoiceLine': [line({ quantity: '1e3' })] }))).toStartWith(
      'FORMAT ubl:Invoice.cac:InvoiceLine[0].cbc:InvoicedQuantity: must be a number',
    );
    expect(faultOf(invoice({ 'cbc:Note': ['a\u0000b'] }))).toStartWith('FORMAT ubl:Invoice.cbc:Note[0]: ');
    expect(faultOf(JSON.parse('{"ubl:Invoice":{"__proto__":{"cbc:ID":"1"}}}'))).toStartWith(
      'FORMAT ubl:Invoice.__proto__: is unknown',
    );
  });

  test('an allowance or charge without a charge indicator is rejected', () => {
    const withoutIndicator = { 'cbc:Amount': '1.00', 'cbc:AllowanceChargeReason': 'x' };
    const { findings } = writeInvoice(
      invoice({ 'cac:InvoiceLine': [line({ more: { 'cac:AllowanceCharge': [withoutIndicator] } })] }),
      { profile: 'en16931' },
    );
    const path = 'ubl:Invoice.cac:InvoiceLine[0].cac:AllowanceCharge[0].cbc:ChargeIndicator';
    expect(findings).toEqual([{ rule: 'FORMAT', path, message: 'is required' }]);
  });

  test.each<InvoiceSyntax>(['cii', 'ubl'])('a cash discount ends with a line break in %s', (syntax) => {
    const skonto = '#SKONTO#TAGE=14#PROZENT=2.25#';
    const data = invoice({ 'cac:PaymentTerms': { 'cbc:Note': `Within 30 days\n${skonto}` } });
    const { xml, findings } = writeInvoice(data, { profile: 'xrechnung', syntax });
    expect(findings).toBeUndefined();
    expect(new TextDecoder().decode(xml)).toContain(`days\n${skonto}\n</`);
    expect(read(xml).findings).toEqual([]);
  });

  test('numbers, booleans and single items are accepted in place of strings and lists', () => {
    const more = {
      'cac:AllowanceCharge': {
        'cbc:ChargeIndicator': false,
        'cbc:Amount': 1.5,
        'cbc:AllowanceChargeReason': 'x',
      },
    };
    const data = invoice({ 'cac:InvoiceLine': { ...line({ more }), 'cbc:InvoicedQuantity': 2 } });
    const { data: completed } = writeInvoice(data, { profile: 'en16931' });
    expect(completed).toMatchObject({
      'ubl:Invoice': { 'cac:InvoiceLine': [{ 'cbc:LineExtensionAmount': '298.50' }] },
    });
  });

  test('text that is not an invoice is a finding', () => {
    for (const xml of ['', 'x', '<a/>', '<a', `<${'a>'.repeat(9)}`])
      expect(readInvoice(xml)).toMatchObject({ data: null, findings: [{ rule: 'FORMAT' }] });
  });

  test.each<InvoiceSyntax>(['cii', 'ubl'])('2,000 lines in %s are written and read', (syntax) => {
    const all = Array.from({ length: 2_000 }, (_, index) =>
      line({ id: `${index}`, quantity: '1', price: '0.01' }),
    );
    const { xml, findings } = writeInvoice(invoice({ 'cac:InvoiceLine': all }), {
      profile: 'en16931',
      syntax,
    });
    expect(findings).toBeUndefined();
    expect(read(xml).findings).toEqual([]);
  });
});
