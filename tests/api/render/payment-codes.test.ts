import { expect, test } from 'bun:test';
import { checkPdfua } from '@platen/pdf-standards';
import { describeWithPdfTools, pdfFonts, pdfStructure, pdfText, rasterise } from '../../support/pdf/pdf.ts';
import { readQrCode } from '../../support/pdf/qr-code.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const DPI = 300;

const HTML = `<!doctype html><html lang="fr"><head><title>Bill</title><style>
@page { size: A4; margin: 0 } body { margin: 0; letter-spacing: 2pt; text-transform: uppercase }
.transfer { height: 192mm }
</style></head><body>
<div class="transfer">{{epcQr name=seller.name iban=iban amount=total text=number size="40mm"}}</div>
{{swissQrBill iban=swiss.iban creditor=seller amount=total reference=swiss.reference language="fr"}}
</body></html>`;
const DATA = {
  seller: { name: 'Café Müller', street: 'Rue du Lac', postcode: '2501', town: 'Biel/Bienne', country: 'CH' },
  iban: 'DE89 3704 0044 0532 0130 00',
  swiss: { iban: 'CH44 3199 9123 0008 8901 2', reference: '21 00000 00003 13947 14300 09017' },
  total: 1234.5,
  number: 'Facture 7',
};

function generate(data: object, options: object = {}) {
  return service().post('/v1/generate', { html: HTML, data, options, output: 'base64' });
}

describeWithPdfTools('payment codes', () => {
  test('are read from the printed page, which is an accessible PDF/A with embedded fonts', async () => {
    const { status, body } = await generate(DATA, { pdfa: '3b', accessible: true });
    expect([status, body.warnings]).toEqual([200, []]);
    const pdf = Buffer.from(body.data, 'base64');
    const [page] = await rasterise(pdf, { dpi: DPI });
    expect(readQrCode(page!, { x: 0, y: 0, side: 42 }, DPI)).toBe(
      'BCD\n002\n1\nSCT\n\nCafé Müller\nDE89370400440532013000\nEUR1234.50\n\n\nFacture 7',
    );
    // The Swiss cross covers the centre of the code.
    expect(readQrCode(page!, { x: 63, y: 206, side: 54 }, DPI)).toBe(
      `SPC\n0200\n1\nCH4431999123000889012\nS\nCafé Müller\nRue du Lac\n\n2501\nBiel/Bienne\nCH${'\n'.repeat(8)}1234.50\nCHF${'\n'.repeat(8)}QRR\n210000000003139471430009017\n\nEPD`,
    );
    const text = await pdfText(pdf);
    for (const part of [
      'Récépissé',
      'Section paiement',
      'CH44 3199 9123 0008 8901 2',
      '1 234.50',
      'Biel/Bienne',
    ])
      expect(text).toContain(part);
    const fonts = await pdfFonts(pdf);
    expect(fonts.map(({ name }) => name).sort()).toEqual(['LiberationSans', 'LiberationSans-Bold']);
    expect(fonts.every(({ isEmbedded }) => isEmbedded)).toBe(true);
    expect(checkPdfua(pdf)).toEqual([]);
    const structure = (await pdfStructure(pdf)).join('\n');
    expect(structure.match(/Figure/g)).toHaveLength(2);
  });

  const BILL = '{{swissQrBill iban=swiss.iban creditor=seller amount=total reference=swiss.reference}}';
  const FULL = '<style>@page { size: A4; margin: 0 } body { margin: 0 }</style>';
  const warning = (percent: string) => ({
    code: 'BILL_SIZE',
    message: expect.stringContaining(
      `the Swiss QR-bill is printed at ${percent} % of 210 x 105 mm, which banks`,
    ),
    path: null,
  });
  const warningsOf = async (html: string, options: object = {}) => {
    const { status, body } = await service().post('/v1/generate', { html, data: DATA, options });
    expect(status).toBe(200);
    return body.warnings;
  };

  test.each([
    ['margins of the paper', BILL, {}, '87.2'],
    [
      'margins of @page',
      `<style>@page { margin: 10mm } body { margin: 0 }</style><p>x</p>${BILL}`,
      {},
      '90.7',
    ],
    ['a margin of the body', `<style>@page { margin: 0 }</style>${BILL}`, {}, '99.2'],
    ['a scale', FULL + BILL, { scale: 0.8 }, '80'],
    ['a zoom', `${FULL}<div style="zoom: 0.8">${BILL}</div>`, {}, '80'],
    [
      'a style that limits images',
      `${FULL}<style>svg { max-width: 100% !important }</style><div style="width: 105mm">${BILL}</div>`,
      {},
      '50',
    ],
  ])('a bill that is made smaller gives a warning: %s', async (_, html, options, percent) => {
    const warnings = await warningsOf(html, options);
    expect(warnings.at(-1)).toEqual(warning(percent));
    expect(warnings.filter(({ code }: { code: string }) => code !== 'OVERFLOW')).toHaveLength(1);
  });

  test.each([
    ['in a narrow container', `${FULL}<div style="width: 50mm">${BILL}</div>`, {}],
    ['below text', `${FULL}<p>Facture</p>${BILL}`, {}],
    ['without backgrounds', FULL + BILL, { printBackground: false }],
    ['on paper without margins', `<style>body { margin: 0 }</style>${BILL}`, { margin: 0 }],
    [
      'on a page of its own',
      `<style>@page { margin: 20mm } @page bill { margin: 0 } body { margin: 0 } div { page: bill }</style><p>x</p><div>${BILL}</div>`,
      {},
    ],
    ['that is hidden', `${FULL}<div hidden>${BILL}</div>`, {}],
  ])('a bill of the right size gives no warning: %s', async (_, html, options) => {
    expect(await warningsOf(html, options)).toEqual([]);
  });

  test('a wrong account is a 400 that names the helper, the option and the place', async () => {
    const { status, body } = await generate({ ...DATA, iban: 'DE88 3704 0044 0532 0130 00' });
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining(
        'TEMPLATE_ERROR: html: line 5, column 23: the helper "epcQr" takes iban= with correct check digits, not "DE88 3704 0044 0532 0130 00"',
      ),
    ]);
    const { street: _, ...seller } = { ...DATA.seller, town: 'Biel\nS' };
    const other = await generate({ ...DATA, seller });
    expect([other.status, other.body.error.message]).toEqual([
      400,
      expect.stringContaining(
        'line 6, column 1: the helper "swissQrBill" takes creditor.town as one line, not "Biel S"',
      ),
    ]);
  });
});
