import { expect, test } from 'bun:test';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { layoutFaults } from '../../support/starters/layout.ts';
import { readStarters, requestFor } from '../../support/starters/starters.ts';
import { casesOfSuite } from '../../support/suite.ts';

const starters = readStarters();

/** The number of pages with the sample, where it is not 1. */
const PAGES: Record<string, number> = {
  contract: 2,
  'meeting-minutes': 2,
  'product-catalogue': 3,
  report: 5,
  'report-with-footnotes': 2,
  'statement-monthly': 2,
};

/** Captions and texts of the codes in samples. */
const CAPTIONS: Record<string, string[]> = {
  'delivery-note': ['DN-88-20417'],
  'event-ticket': ['Scan at the entrance', 'HH-26-0619-7F3K-0118'],
  'gift-voucher': ['Scan to redeem', 'MA-7Q4K-2T9X'],
  'invoice-modern': ['Scan to pay'],
  'invoice-swiss': ['Zahlteil', 'CH44 3199 9123 0008 8901 2', '21 00000 00003 13947 14300 09017'],
  'invoice-tax-breakdown': ['Scan to pay'],
  'packing-slip': ['WB-104-77213'],
  'product-catalogue': ['Scan to order'],
  'purchase-order': ['PO-450-11827'],
  'receipt-80mm': ['R10422817'],
  'shipping-label': ['TX4409218837FR'],
};

describeWithPdfTools('the printed starter', () => {
  const service = sharedService();

  test.each(casesOfSuite(starters, 12).map((starter) => [starter.slug, starter] as const))(
    '%s has no warnings, no layout faults and the expected pages with its sample',
    async (slug, starter) => {
      const { sample_data: data } = starter;
      const { status, body } = await service().post('/v1/generate', requestFor(starter, data));
      expect([status, body.warnings]).toEqual([200, []]);
      const pdf = Buffer.from(body.data, 'base64');
      expect(await layoutFaults(pdf, { starter, variant: { name: 'sample', data } })).toEqual([]);
      expect(body.pages).toBe(PAGES[slug] ?? 1);
      const text = await pdfText(pdf);
      for (const caption of CAPTIONS[slug] ?? []) expect(text).toContain(caption);
    },
    60_000,
  );

  test('invoice-swiss has one decimal separator above its bill in each Swiss locale', async () => {
    const starter = starters.find(({ slug }) => slug === 'invoice-swiss')!;
    for (const [locale, total] of [
      ['de-CH', /Gesamtbetrag +CHF 4.637\.03$/m],
      ['fr-CH', /Total +CHF 4.637,03$/m],
    ] as const) {
      const data = { ...starter.sample_data, locale, labels: {} };
      const text = await pdfText(await service().pdf(requestFor(starter, data)));
      expect(text).toMatch(total);
    }
  });
});
