import { describe, expect, test } from 'bun:test';
import { inspectTemplate } from '../../templates.ts';
import { readQrCode } from '../../tests/read-qr-code.ts';
import { render } from '../../tests/render-template.ts';
import { textWidth } from './text-width.ts';

const QR_IBAN = 'CH4431999123000889012';
const IBAN = 'CH9300762011623852957';
const QR_REFERENCE = '210000000003139471430009017';
const CREDITOR = {
  name: 'Robert Schneider AG',
  street: 'Rue du Lac',
  house_number: 1268,
  postcode: 2501,
  town: 'Biel',
  country: 'ch',
};
const DEBTOR = {
  name: 'Pia-Maria Rutschmann-Schnyder',
  street: 'Grosse Marktgasse',
  house_number: '28',
  postcode: '9400',
  town: 'Rorschach',
  country: 'CH',
};
const TEMPLATE =
  '{{swissQrBill iban=iban creditor=creditor amount=amount currency=currency reference=reference debtor=debtor message=message language=language}}';

/** The corner marks of a blank field. */
const CORNERS = / d="(?:M[\d. ]+m[\d. -]+[vh]-?3[vh]-?3){4}"/g;

function draw(data: object): string {
  return render(TEMPLATE, { iban: IBAN, creditor: CREDITOR, ...data });
}

function payload(data: object): string {
  const drawn = draw(data);
  return drawn.startsWith('<svg') ? readQrCode(drawn) : drawn;
}

interface Text {
  x: number;
  y: number;
  size: number;
  text: string;
}

function textsOf(drawn: string): Text[] {
  const texts = drawn.matchAll(
    /<text x="([\d.]+)" y="([\d.]+)" (?:text-anchor="end" )?font-size="([\d.]+)"[^>]*>([^<]*)</g,
  );
  return [...texts].map(([, x, y, size, text = '']) => ({
    x: Number(x),
    y: Number(y),
    size: Number(size),
    text,
  }));
}

describe('swissQrBill', () => {
  test('with a QR reference has the content of the guidelines', () => {
    const data = {
      iban: QR_IBAN,
      debtor: DEBTOR,
      amount: 2500.25,
      reference: QR_REFERENCE,
      message: 'Bill of 12.11.2026',
    };
    expect(payload(data)).toBe(
      [
        `SPC\n0200\n1\n${QR_IBAN}`,
        'S\nRobert Schneider AG\nRue du Lac\n1268\n2501\nBiel\nCH',
        '\n'.repeat(6),
        '2500.25\nCHF',
        'S\nPia-Maria Rutschmann-Schnyder\nGrosse Marktgasse\n28\n9400\nRorschach\nCH',
        `QRR\n${QR_REFERENCE}\nBill of 12.11.2026\nEPD`,
      ].join('\n'),
    );
  });

  test('takes the parties of an invoice, whose addresses are nested and have a city', () => {
    const seller = {
      name: 'Robert Schneider AG',
      vat_id: 'CHE123456789',
      address: { street: 'Rue du Lac 1268', postcode: '2501', city: 'Biel', country: 'CH' },
    };
    const buyer = { name: 'Pia Rutschmann', address: { postcode: 9400, city: 'Rorschach', country: 'ch' } };
    const drawn = render('{{swissQrBill iban=iban creditor=invoice.seller debtor=invoice.buyer}}', {
      iban: IBAN,
      invoice: { seller, buyer },
    });
    const lines = readQrCode(drawn).split('\n');
    expect(lines.slice(4, 11)).toEqual([
      'S',
      'Robert Schneider AG',
      'Rue du Lac 1268',
      '',
      '2501',
      'Biel',
      'CH',
    ]);
    expect(lines.slice(20, 27)).toEqual(['S', 'Pia Rutschmann', '', '', '9400', 'Rorschach', 'CH']);
  });

  test.each([['Rue du Lac 1268\n2501 Biel'], [['Rue du Lac 1268', '2501 Biel']], [{}], [{ city: 'Bern' }]])(
    'ignores the address %j beside the fields of a structured one',
    (address) => {
      expect(payload({ creditor: { ...CREDITOR, address } })).toBe(payload({}));
    },
  );

  test.each([
    [{}, 'CHF', 'NON', ''],
    [{ currency: 'EUR', reference: 'rf18 5390 0754 7034' }, 'EUR', 'SCOR', 'RF18539007547034'],
    [
      { iban: 'ch44 3199 9123 0008 8901 2', reference: '21 00000 00003 13947 14300 09017' },
      'CHF',
      'QRR',
      QR_REFERENCE,
    ],
  ])('of %p has blank fields for the amount and the payer', (data, currency, type, reference) => {
    const lines = payload(data).split('\n');
    expect(lines).toHaveLength(31);
    expect(lines.slice(18)).toEqual(['', currency, '', '', '', '', '', '', '', type, reference, '', 'EPD']);
    // Two blank fields on each part, each with four corners.
    const corners = [...draw(data).matchAll(CORNERS)];
    expect(corners).toHaveLength(4);
    const complete = draw({ ...data, amount: 1, debtor: DEBTOR });
    expect(complete).not.toMatch(CORNERS);
  });

  test.each([
    [
      'de',
      'Empfangsschein',
      'Zahlteil',
      'Konto / Zahlbar an',
      'Zahlbar durch (Name/Adresse)',
      'Annahmestelle',
    ],
    [
      'fr',
      'Récépissé',
      'Section paiement',
      'Compte / Payable à',
      'Payable par (nom/adresse)',
      'Point de dépôt',
    ],
    [
      'it',
      'Ricevuta',
      'Sezione pagamento',
      'Conto / Pagabile a',
      'Pagabile da (nome/indirizzo)',
      'Punto di accettazione',
    ],
    [
      'en',
      'Receipt',
      'Payment part',
      'Account / Payable to',
      'Payable by (name/address)',
      'Acceptance point',
    ],
  ])('has the headings of the language %s', (language, ...headings) => {
    const printed = textsOf(draw({ language })).map(({ text }) => text);
    expect(printed).toEqual(expect.arrayContaining(headings));
    expect(draw({ locale: `${language}-CH` })).toBe(draw({ language }));
    expect(draw({})).toBe(draw({ locale: 'ja-JP' }));
  });

  test('prints groups of digits, countries abroad and the text alternative', () => {
    const drawn = draw({
      amount: '1234567.5',
      reference: 'RF18539007547034',
      message: 'a\nb',
      debtor: { ...DEBTOR, name: 'A & <b>"C"', postcode: '10115', town: 'Berlin', country: 'DE' },
      language: 'en',
    });
    const printed = textsOf(drawn).map(({ text }) => text);
    expect(printed).toEqual(
      expect.arrayContaining([
        'CH93 0076 2011 6238 5295 7',
        'RF18 5390 0754 7034',
        '1 234 567.50',
        '2501 Biel',
        'DE-10115 Berlin',
        'a b',
      ]),
    );
    expect(drawn).not.toContain('<b>');
    expect(drawn).toContain(
      'role="img" lang="en" aria-label="Payment part. Account / Payable to: CH93 0076 2011 6238 5295 7, Robert Schneider AG, Rue du Lac 1268, 2501 Biel. Reference: RF18 5390 0754 7034. Additional information: a b. Payable by: A &amp; &lt;b&gt;&quot;C&quot;, Grosse Marktgasse 28, DE-10115 Berlin. Amount: CHF 1 234 567.50"',
    );
  });

  test.each([
    ['n'.repeat(70), 's'.repeat(70), 'm'.repeat(140)],
    ['Wwwwww '.repeat(9).trim(), 'Wwwwww '.repeat(9).trim(), 'Wwwwww '.repeat(19).trim()],
  ])('keeps the longest texts inside of their areas', (name, street, message) => {
    const long = {
      name,
      street,
      house_number: 'h'.repeat(16),
      postcode: 'p'.repeat(16),
      town: 't'.repeat(35),
      country: 'DE',
    };
    const texts = textsOf(
      draw({
        iban: QR_IBAN,
        reference: QR_REFERENCE,
        creditor: long,
        debtor: long,
        amount: 999_999_999.99,
        message,
      }),
    );
    const ends = texts.map(({ x, size, text }) => x + textWidth(text) * size);
    expect(Math.max(...texts.filter(({ x }) => x === 118).map(({ y }) => y))).toBeLessThan(90);
    // The receipt ends with the currency, which is 68 mm from the top.
    const receipt = texts.filter(({ x, text }) => x === 5 && text !== 'Currency' && text !== 'CHF');
    expect(Math.max(...receipt.map(({ y }) => y))).toBeLessThan(68);
    expect(Math.max(...texts.map(({ x }, index) => (x < 57 ? ends[index]! : 0)))).toBeLessThan(57.5);
    expect(Math.max(...ends.filter((_, index) => texts[index]!.x === 118))).toBeLessThan(205.5);
    // The style guide permits no smaller text than 6 points.
    expect(Math.min(...texts.map(({ size }) => size))).toBeGreaterThan(2.11);
  });

  test.each([
    [
      { iban: 'DE89370400440532013000' },
      'takes iban= of Switzerland or Liechtenstein, not "DE89370400440532013000"',
    ],
    [{ iban: 'CH9400762011623852957' }, 'takes iban= with correct check digits'],
    [{ iban: QR_IBAN }, 'takes reference= as a QR reference of 27 digits for a QR-IBAN, not nothing'],
    [
      { iban: QR_IBAN, reference: 'RF18539007547034' },
      'takes reference= as a QR reference of 27 digits for a QR-IBAN, not "RF18539007547034"',
    ],
    [
      { iban: QR_IBAN, reference: '210000000003139471430009018' },
      'takes reference= with a correct check digit',
    ],
    [
      { iban: QR_IBAN, reference: '120000000003139471430009017' },
      'takes reference= with a correct check digit',
    ],
    [
      { reference: QR_REFERENCE },
      'takes reference= as a creditor reference such as "RF18 5390 0754 7034" for an IBAN that is not a QR-IBAN',
    ],
    [{ reference: 'RF18539007547035' }, 'takes reference= with correct check digits'],
    [
      { creditor: null },
      'takes creditor=, which is required, as an object with name, street, house_number, postcode, town and country',
    ],
    [
      { creditor: 'Robert Schneider AG\nRue du Lac 1268\n2501 Biel' },
      'takes creditor= as an object with name, ',
    ],
    [{ debtor: ['Pia', 'Rorschach'] }, 'takes debtor= as an object with name, '],
    [{ debtor: {} }, 'takes debtor.name, which is required: a structured address has name, '],
    [
      { debtor: { ...DEBTOR, postcode: undefined, town: '9400 Rorschach' } },
      'takes debtor.postcode, which is required: a structured address has name, ',
    ],
    [
      { creditor: { ...CREDITOR, street: 'Rue du Lac 1268\n2501 Biel' } },
      'takes creditor.street as one line',
    ],
    [
      { creditor: { name: 'Robert Schneider AG', line1: 'Rue du Lac 1268', line2: '2501 Biel' } },
      'takes creditor.postcode, which is required: a structured address has name, street, house_number, postcode, town and country',
    ],
    [{ creditor: { ...CREDITOR, name: 'x\nS\ny' } }, 'takes creditor.name as one line'],
    [
      { creditor: { ...CREDITOR, town: 't'.repeat(36) } },
      'takes creditor.town of at most 35 characters, not 36',
    ],
    [
      { creditor: { ...CREDITOR, house_number: 'h'.repeat(17) } },
      'takes creditor.house_number of at most 16 characters',
    ],
    [
      { creditor: { ...CREDITOR, country: 'Schweiz' } },
      'takes creditor.country as a code of two letters such as "CH", not "Schweiz"',
    ],
    [{ creditor: { ...CREDITOR, country: 'UK' } }, 'takes creditor.country as a code'],
    ...['QX', 'XA', 'QO', 'EZ', 'UN', 'SU', 'AC'].map((country): [object, string] => [
      { debtor: { ...DEBTOR, country } },
      'takes debtor.country as a code',
    ]),
    [
      { debtor: { name: 'Pia', address: { street: 'Grosse Marktgasse 28', city: 'Rorschach' } } },
      'takes debtor.address.postcode, which is required: a structured address has name, ',
    ],
    [
      { debtor: { name: 'Pia', address: { postcode: '9400' }, town: 'Rorschach' } },
      'takes debtor.address.town, which is required: ',
    ],
    [
      { debtor: { name: 'Pia', address: { postcode: '9400', city: 'Rorschach', country: 'Schweiz' } } },
      'takes debtor.address.country as a code of two letters such as "CH", not "Schweiz"',
    ],
    [{ debtor: { ...DEBTOR, name: 'Пиа' } }, 'takes debtor.name in Latin letters, not "П"'],
    [{ message: 'thanks 😀' }, 'takes message= in Latin letters, not "😀"'],
    [{ message: 'x'.repeat(141) }, 'takes message= of at most 140 characters, not 141'],
    [
      {
        message: 'é'.repeat(140),
        debtor: { ...DEBTOR, name: 'é'.repeat(70), street: 'é'.repeat(70), town: 'é'.repeat(35) },
        creditor: { ...CREDITOR, name: 'é'.repeat(70), street: 'é'.repeat(70), town: 'é'.repeat(35) },
      },
      'fits the 997 bytes of a Swiss QR code',
    ],
    [{ currency: 'USD' }, 'takes currency= as one of CHF, EUR, not "USD"'],
    [{ language: 'rm' }, 'takes language= as one of de, fr, it, en, not "rm"'],
    [{ amount: '12.345' }, 'takes amount= from 0.01'],
    [{ amount: 0 }, 'takes amount= from 0.01'],
    [{ amount: '1e3' }, 'takes amount= from 0.01'],
  ])('of %j is rejected', (data, expected) => {
    const message = payload(data);
    expect(message).toStartWith('line 1, column 1: the helper "swissQrBill" takes ');
    expect(message).toContain(expected);
  });

  test('has a sample that it accepts', () => {
    const inspected = inspectTemplate({ source: TEMPLATE });
    const sample = inspected.ok ? inspected.value.sample : {};
    expect(sample).toMatchObject({ iban: IBAN, creditor: { country: 'CH' } });
    expect(render(TEMPLATE, sample)).toStartWith('<svg');
  });

  test('needs an account and a creditor', () => {
    expect(render('{{swissQrBill iban=iban}}')).toBe(
      'line 1, column 1: the helper "swissQrBill" takes the option creditor=, which is required: {{swissQrBill iban= creditor= amount= currency= reference= debtor= message= language=}}',
    );
    expect(render('{{epcQr}}')).toEndWith('; a field of that name is {{this.epcQr}}');
  });
});
