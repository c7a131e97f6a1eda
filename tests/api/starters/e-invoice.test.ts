import { expect, test } from 'bun:test';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { readStarters } from '../../support/starters/starters.ts';

const starters = readStarters();
const starterOf = (slug: string) => starters.find((one) => one.slug === slug)!;
const starter = starterOf('e-invoice');
const { totals: _totals, ...invoice } = starter.sample_data['invoice'] as Record<string, unknown>;
const line = { name: 'Beratung', quantity: 5, unit: 'hour', price: '2.50', vat: 19 };

describeWithPdfTools('the starter e-invoice', () => {
  const service = sharedService();

  /** Prints an invoice with its XML, and returns the lines of the text without repeated spaces. */
  async function linesOf(fields: object, locale = 'de-DE'): Promise<string[]> {
    const { status, body } = await service().post('/v1/generate', {
      html: starter.html,
      data: { locale, invoice: { ...invoice, lines: [line], ...fields } },
      options: starter.options,
      output: 'base64',
    });
    expect([status, body.warnings ?? body.error]).toEqual([200, []]);
    const text = await pdfText(Buffer.from(body.data, 'base64'));
    return text.split('\n').map((one) => one.trim().replaceAll(/\s+/g, ' '));
  }

  test('prints all amounts that lead to the amount due', async () => {
    const lines = await linesOf({
      lines: [
        { ...line, discount: { percent: 10, reason: 'Treue' } },
        { ...line, price: '0.0425', price_quantity: 100, unit: 'pcs' },
      ],
      discounts: [{ percent: 5, reason: 'Messe', vat: 19 }],
      charges: [{ amount: 25, reason: 'Fracht', vat: 19 }],
      prepaid: 10,
      rounding: '0.02',
    });
    const expected = [
      '1 Beratung 5 Std. 2,50 € 19 % 11,25 €',
      'Rabatt 10 % Treue: -1,25 €',
      '2 Beratung 5 Stk. 0,0425 € / 100 19 % 0,00 €',
      'Zwischensumme 11,25 €',
      'Rabatt 5 % Messe -0,56 €',
      'Zuschlag Fracht 25,00 €',
      'Summe netto 35,69 €',
      'USt. 19 % 6,78 €',
      'Gesamtbetrag 42,47 €',
      'Bereits bezahlt -10,00 €',
      'Rundung 0,02 €',
      'Zu zahlen 32,49 €',
    ];
    expect(lines.filter((one) => expected.includes(one))).toEqual(expected);
  });

  test('prints prices with all their decimals', async () => {
    const priced = (price: string) => ({ ...line, quantity: 3, price });
    const lines = await linesOf({ lines: [priced('333.33'), priced('0.0425'), priced('0.00004')] });
    expect(
      lines.filter((one) => one.includes('Beratung')).map((one) => /Std\. (\S+)/.exec(one)?.[1]),
    ).toEqual(['333,33', '0,0425', '0,000040']);
  });

  test('carries the sum of a long invoice from page to page', async () => {
    const lines = Array.from({ length: 70 }, (_, index) => ({
      ...line,
      name: `Artikel ${index}`,
      price: '20.01',
    }));
    const printed = await linesOf({ lines });
    const forward = printed.filter((one) => one.startsWith('Übertrag'));
    expect(forward.length).toBeGreaterThan(2);
    // Each page begins with the sum at the end of the page before.
    expect(forward.filter((_, index) => index % 2 === 0)).toEqual(
      forward.filter((_, index) => index % 2 === 1),
    );
    const [, sum = ''] = /^Übertrag ([\d.]+,\d\d) €$/.exec(forward[0] ?? '') ?? [];
    const cents = Number(sum.replaceAll(/\D/g, ''));
    expect([cents > 0, cents % 10_005]).toEqual([true, 0]);
    expect(printed).toContain('Summe netto 7.003,50 €');
  });

  test.each([
    ['de-DE', 'Berichtigt Rechnung 2026-0041 vom 22.10.2026', 'Nummer', 'Gutschriftsbetrag', /Fällig|zahlen/],
    ['en-GB', 'Corrects invoice 2026-0041 of 22 Oct 2026', 'Number', 'Total credit', /Due date|Amount due/],
    ['fr-FR', 'Corrige la facture 2026-0041 du 22 oct. 2026', 'Numéro', 'Total de l’avoir', /Échéance|payer/],
  ])('prints a credit note in %s', async (locale, corrects, number, total, ofInvoices) => {
    const preceding = { number: '2026-0041', date: '2026-10-22' };
    const text = (await linesOf({ type: 'credit_note', preceding }, locale)).join('\n');
    expect(text).toContain(corrects);
    expect(text).toMatch(new RegExp(`${number} 2026-0042$`, 'm'));
    expect(text).toMatch(new RegExp(`^${total} `, 'm'));
    expect(text).not.toMatch(ofInvoices);
  });

  test.each(['e-invoice', 'delivery-note', 'invoice-tax-breakdown'])(
    'shows numbers of lines with two digits on one line, as %s does',
    async (slug) => {
      const { html, sample_data: data } = starterOf(slug);
      const long = { name: 'x'.repeat(120), description: 'x'.repeat(120), quantity: 1, price: 1 };
      const items = Array.from({ length: 12 }, () => ({ ...long, tax_rate: 19, vat: 19, amount: 1 }));
      const filled = { ...data, items, invoice: { ...invoice, lines: items } };
      const pdf = await service().pdf({ html, data: filled, output: 'base64' });
      const numbers = (await pdfText(pdf)).match(/^ *\d+(?= )/gm)?.map(Number);
      expect(numbers).toEqual(expect.arrayContaining([10, 11, 12]));
    },
  );
});
