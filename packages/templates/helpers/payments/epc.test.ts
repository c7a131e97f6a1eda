import { describe, expect, test } from 'bun:test';
import { inspectTemplate } from '../../templates.ts';
import { readQrCode } from '../../tests/read-qr-code.ts';
import { render } from '../../tests/render-template.ts';

const IBAN = 'DE89370400440532013000';
const TEMPLATE =
  '{{epcQr name=name iban=iban amount=amount bic=bic reference=reference text=text size=size}}';

function payload(data: object): string {
  const drawn = render(TEMPLATE, { name: 'Stadtwerke', iban: IBAN, ...data });
  return drawn.startsWith('<svg') ? readQrCode(drawn) : drawn;
}

describe('epcQr', () => {
  test.each([
    [
      { bic: 'cobadeff', amount: 12.5, text: 'Invoice 7' },
      `BCD\n002\n1\nSCT\nCOBADEFF\nStadtwerke\n${IBAN}\nEUR12.50\n\n\nInvoice 7`,
    ],
    [{}, `BCD\n002\n1\nSCT\n\nStadtwerke\n${IBAN}`],
    [
      { amount: '999999999.99', reference: 'rf18 5390 0754 7034' },
      `BCD\n002\n1\nSCT\n\nStadtwerke\n${IBAN}\nEUR999999999.99\n\nRF18539007547034`,
    ],
    [{ iban: ' de89 3704 0044 0532 0130 00' }, `BCD\n002\n1\nSCT\n\nStadtwerke\n${IBAN}`],
    [
      { name: 'Café “L’Été” – Łódź ГАЗ Ελλάδα', amount: 0.01, text: 'a\n\nEUR999\r\nb' },
      `BCD\n002\n1\nSCT\n\nCafé "L'Été" - Łódź ГАЗ Ελλάδα\n${IBAN}\nEUR0.01\n\n\na EUR999 b`,
    ],
    [{ amount: 0.1 + 0.2 }, `BCD\n002\n1\nSCT\n\nStadtwerke\n${IBAN}\nEUR0.30`],
    [
      { name: 'x'.repeat(70), text: 'y'.repeat(140) },
      `BCD\n002\n1\nSCT\n\n${'x'.repeat(70)}\n${IBAN}\n\n\n\n${'y'.repeat(140)}`,
    ],
    [
      { iban: 'CH93 0076 2011 6238 5295 7', bic: 'UBSWCHZH80A' },
      'BCD\n002\n1\nSCT\nUBSWCHZH80A\nStadtwerke\nCH9300762011623852957',
    ],
  ])('of %p is a transfer of EPC069-12', (data, expected) => {
    expect(payload(data)).toBe(expected);
  });

  test('has a size, a quiet zone and a text alternative in the language of the data', () => {
    const data = { name: 'A & "B"', iban: IBAN, locale: 'de-DE' };
    expect(render('{{epcQr name=name iban=iban amount=5 size="30mm"}}', data)).toMatch(
      /^<svg [^>]*width="30mm" height="30mm" viewBox="0 0 41 41" role="img" aria-label="QR-Code: A &amp; &quot;B&quot;, DE89 3704 0044 0532 0130 00, EUR 5\.00"><path fill="#000000"/,
    );
  });

  test('has no spaces where soft hyphens were, in the code and in its text alternative', () => {
    const data = { name: '\u00ad A\u00adB \u00ad', iban: IBAN, text: '\u00ad\nC' };
    const drawn = render(TEMPLATE, data);
    expect(readQrCode(drawn)).toBe(`BCD\n002\n1\nSCT\n\nAB\n${IBAN}\n\n\n\nC`);
    expect(drawn).toContain('aria-label="QR code: AB, DE89 3704');
  });

  test.each([
    [
      { iban: 'DE88370400440532013000' },
      'takes iban= with correct check digits, not "DE88370400440532013000"',
    ],
    [{ iban: 'DE8937040044053201300' }, 'takes iban= of DE with 22 characters, not "DE8937040044053201300"'],
    [{ iban: 'US893704004405320130' }, 'takes iban= of a country with IBANs, not "US893704004405320130"'],
    [{ iban: 'DE89-3704-0044-0532-0130-00' }, 'takes iban= as an IBAN such as'],
    [{ iban: `${IBAN}\nEUR1` }, 'takes iban= of DE with 22 characters, not "DE89370400440532013000 EUR1"'],
    [{ iban: 'DE８９370400440532013000' }, 'takes iban= as an IBAN such as'],
    [{ iban: null }, 'takes iban= as an IBAN such as "DE89 3704 0044 0532 0130 00", not nothing'],
    [{ iban: 89 }, 'not 89'],
    [{ name: '' }, 'takes name= as the name of the payee, not nothing'],
    [{ name: '\u00ad' }, 'takes name= as the name of the payee'],
    [{ name: 'A\nEUR1' }, 'takes name= as one line, not "A EUR1"'],
    [{ name: 'A\u2028B' }, 'takes name= as one line'],
    [{ name: 'Café 😀' }, 'takes name= in Latin, Greek or Cyrillic letters, not "😀"'],
    [{ name: '東京' }, 'takes name= in Latin, Greek or Cyrillic letters, not "東"'],
    [{ name: 'a\u0000' }, 'not "U+0000"'],
    [{ name: 'a\ud800' }, 'not "U+D800"'],
    [{ name: 'x'.repeat(71) }, 'takes name= of at most 70 characters, not 71'],
    [{ name: { text: 'x' } }, 'takes name= as text, not an object'],
    [{ text: 'x'.repeat(141) }, 'takes text= of at most 140 characters, not 141'],
    [{ text: '\u202ex' }, 'takes text= in Latin, Greek or Cyrillic letters, not "U+202E"'],
    [{ name: 'é'.repeat(70), text: 'é'.repeat(140) }, 'fits the 331 bytes of a payment code, not '],
    [{ reference: 'RF19539007547034' }, 'takes reference= with correct check digits'],
    [{ reference: '539007547034' }, 'takes reference= as a creditor reference such as "RF18 5390 0754 7034"'],
    [{ reference: 'RF18539007547034', text: 'x' }, 'takes either reference= or text=, not both'],
    [{ bic: 'COBAXXFF' }, 'takes bic= as a BIC such as "COBADEFFXXX", not "COBAXXFF"'],
    [
      { iban: 'TR330006100519786457841326', bic: 'TCZBTR2A' },
      'takes iban= of a country in SEPA, not "TR330006100519786457841326"',
    ],
    [{ bic: 'COBADE' }, 'takes bic= as a BIC such as "COBADEFFXXX", not "COBADE"'],
    [{ iban: 'CH9300762011623852957' }, 'takes bic= for an account in CH, not nothing'],
    [{ amount: '12.345' }, 'takes amount= from 0.01 to 999999999.99 with at most two decimals, not "12.345"'],
    [{ amount: 12.345 }, 'not 12.345'],
    [{ amount: -1 }, 'not -1'],
    [{ amount: '-1' }, 'not "-1"'],
    [{ amount: 0 }, 'not 0'],
    [{ amount: '0.00' }, 'not "0.00"'],
    [{ amount: '1e3' }, 'not "1e3"'],
    [{ amount: '1,50' }, 'not "1,50"'],
    [{ amount: 1e9 }, 'not 1000000000'],
    [{ amount: 0.001 }, 'not 0.001'],
    [{ amount: '٥' }, 'not "٥"'],
    [{ amount: true }, 'not true'],
    [{ size: '5vw' }, 'takes size= as a length'],
    [{ size: '2mm' }, 'takes size= of at least 11mm for this content, not 2mm'],
    [{ size: '15mm', text: 'x'.repeat(140) }, 'takes size= of at least 17mm for this content, not 15mm'],
  ])('of %p is rejected', (data, expected) => {
    const message = payload(data);
    expect(message).toStartWith('line 1, column 1: the helper "epcQr" takes ');
    expect(message).toContain(expected);
  });

  test('has a sample that it accepts', () => {
    const inspected = inspectTemplate({ source: `${TEMPLATE}{{#if text}}x{{/if}}` });
    const sample = inspected.ok ? inspected.value.sample : {};
    expect(sample).toMatchObject({ iban: IBAN, reference: 'RF18539007547034', text: '' });
    expect(render(TEMPLATE, sample)).toStartWith('<svg');
  });
});
