import { expect, test } from 'bun:test';
import { describeWithPdfTools, pdfText } from './support/pdf/pdf.ts';
import { sharedService } from './support/service/shared-service.ts';
import { layoutFaults } from './support/starters/layout.ts';
import { lastWord, rightBorderWidth, wordWidth } from './support/starters/measures.ts';
import { HOSTILE, tripled, variantsOf, type JsonObject } from './support/starters/variants.ts';
import { papersOf, readStarters, requestFor } from './support/starters/starters.ts';

const starters = readStarters();

/** Labels of the sums, which must be on the same page as the last row. */
const TOTALS: Record<string, string> = {
  'credit-note': 'Total credit',
  'delivery-note': 'Signature',
  timesheet: 'Total',
  'invoice-arabic': 'المستحق',
  'invoice-japanese': '合計',
  'invoice-simple': 'Total due',
  'invoice-swiss': 'Gesamtbetrag',
  'invoice-modern': 'Total',
  'invoice-tax-breakdown': 'Net total',
  'purchase-order': 'Order total',
  quote: 'Total',
  'statement-monthly': 'Balance carried forward',
  payslip: 'Total deductions',
};

/** Text that the style sheet prints at the foot of every page with hostile data. */
const FOOTERS: Record<string, string> = {
  'credit-note': `Credit note ${HOSTILE} ${HOSTILE}`,
  'delivery-note': `Delivery note ${HOSTILE} ${HOSTILE}`,
  'offer-letter': `${HOSTILE} ${HOSTILE}`,
  'packing-slip': `Packing slip ${HOSTILE} ${HOSTILE}`,
  timesheet: `${HOSTILE} ${HOSTILE}`,
  'invoice-simple': `Invoice ${HOSTILE} ${HOSTILE}`,
  'invoice-modern': `${HOSTILE} ${HOSTILE}`,
  'invoice-tax-breakdown': `${HOSTILE} ${HOSTILE} ${HOSTILE} ${HOSTILE} · ${HOSTILE} ${HOSTILE}`,
  'purchase-order': `Purchase order ${HOSTILE} ${HOSTILE}`,
  quote: `Quote ${HOSTILE} ${HOSTILE}`,
  'statement-monthly': `Account ${HOSTILE} ${HOSTILE}`,
};

/** The largest number of pages with three times the data, and the text that is printed without data. */
const PAGES: Record<string, { tripled: number; heading: string }> = {
  certificate: { tripled: 1, heading: 'Certificate' },
  contract: { tripled: 8, heading: 'Agreement' },
  'credit-note': { tripled: 2, heading: 'Credit note' },
  'delivery-note': { tripled: 2, heading: 'Delivery note' },
  'e-invoice': { tripled: 1, heading: 'Invoice' },
  'event-ticket': { tripled: 3, heading: 'Event ticket' },
  'gift-voucher': { tripled: 3, heading: 'Gift voucher' },
  'invoice-arabic': { tripled: 2, heading: 'Invoice' },
  'invoice-japanese': { tripled: 2, heading: 'Invoice' },
  'invoice-modern': { tripled: 2, heading: 'Invoice' },
  'invoice-simple': { tripled: 2, heading: 'Invoice' },
  'invoice-swiss': { tripled: 2, heading: 'Invoice' },
  'invoice-tax-breakdown': { tripled: 2, heading: 'Invoice' },
  letter: { tripled: 2, heading: 'Yours sincerely,' },
  'letter-hebrew': { tripled: 3, heading: 'Yours sincerely,' },
  'meeting-minutes': { tripled: 4, heading: 'Minutes' },
  'offer-letter': { tripled: 2, heading: 'Offer of employment' },
  'packing-slip': { tripled: 2, heading: 'Packing slip' },
  payslip: { tripled: 2, heading: 'Payslip' },
  'product-catalogue': { tripled: 7, heading: 'Catalogue' },
  'purchase-order': { tripled: 2, heading: 'Purchase order' },
  quote: { tripled: 3, heading: 'Quote' },
  'receipt-80mm': { tripled: 1, heading: 'Total' },
  report: { tripled: 13, heading: 'Report' },
  'report-brief': { tripled: 3, heading: 'Memorandum' },
  'report-with-footnotes': { tripled: 4, heading: 'Report' },
  'resume-classic': { tripled: 3, heading: 'Résumé' },
  'resume-modern': { tripled: 3, heading: 'Résumé' },
  'shipping-label': { tripled: 1, heading: 'Ship to' },
  'statement-monthly': { tripled: 5, heading: 'Account statement' },
  timesheet: { tripled: 2, heading: 'Timesheet' },
};

describeWithPdfTools('the printed starter', () => {
  const service = sharedService();
  const printed = starters;

  test.each(printed.map((starter) => [starter.slug, starter] as const))(
    '%s has no layout faults with its sample on each paper or with 60 long rows',
    async (slug, starter) => {
      const variants = variantsOf(starter);
      const [sample, long] = ['sample', 'long'].map((name) => variants.find((each) => each.name === name)!);
      const papers = papersOf(starter);
      for (const paper of papers) {
        const pdf = await service().pdf(requestFor(starter, sample!.data, paper));
        expect(await layoutFaults(pdf, { starter, variant: sample! }), `${paper}`).toEqual([]);
      }
      const pdf = await service().pdf(requestFor(starter, long!.data, papers.at(-1)));
      expect(await layoutFaults(pdf, { starter, variant: long! })).toEqual([]);

      const label = TOTALS[slug];
      if (label === undefined) return;
      const pages = (await pdfText(pdf)).split('\f');
      const total = pages.find((page) => new RegExp(`#60\\b[^]*${label}`).test(page));
      expect(total, `row 60 and "${label}" on one page`).toBeDefined();
    },
    60_000,
  );

  test.each(printed.map((starter) => [starter.slug, starter] as const))(
    '%s prints text with special characters of HTML and CSS unchanged',
    async (slug, starter) => {
      const variant = variantsOf(starter).find(({ name }) => name === 'hostile')!;
      const pdf = await service().pdf(requestFor(starter, variant.data));
      expect(await layoutFaults(pdf, { starter, variant })).toEqual([]);

      const pages = (await pdfText(pdf)).split('\f').filter((page) => page.trim() !== '');
      expect(pages.join(' ')).not.toContain('&amp;');
      expect(pages.join(' ').replaceAll(/\s+/g, ' ')).toContain(HOSTILE);
      const footer = FOOTERS[slug];
      if (footer === undefined) return;
      for (const page of pages) expect(page.replaceAll(/\s+/g, ' ')).toContain(footer);
    },
    60_000,
  );

  test.each(printed.map((starter) => [starter.slug, starter] as const))(
    '%s keeps its layout with three times the data, from right to left, in Japanese and without data',
    async (slug, starter) => {
      const expected = PAGES[slug]!;
      const print = async (name: string, data: JsonObject) => {
        const pdf = await service().pdf(requestFor(starter, data));
        expect(await layoutFaults(pdf, { starter, variant: { name, data } }), name).toEqual([]);
        return (await pdfText(pdf)).split('\f').slice(0, -1);
      };
      expect((await print('tripled', tripled(starter.sample_data))).length).toBeLessThanOrEqual(
        expected.tripled,
      );
      const arabic = variantsOf(starter).find((each) => each.name === 'arabic')!.data;
      await print('right-to-left', { ...arabic, locale: 'ar-EG' });
      await print('japanese', { ...starter.sample_data, locale: 'ja-JP' });
      const empty = await print('none', {});
      expect(empty).toHaveLength(1);
      expect(empty[0]).toContain(expected.heading);
    },
    60_000,
  );

  test('every starter has an expected number of pages', () => {
    expect(Object.keys(PAGES).toSorted()).toEqual(starters.map(({ slug }) => slug).toSorted());
  });

  test.each(printed.map((starter) => [starter.slug, starter] as const))(
    '%s is not reduced in size to fit the width of the paper, even with very long words',
    async (_, starter) => {
      const printProbe = async (html: string, data: JsonObject) =>
        wordWidth(await service().pdf(requestFor({ ...starter, html }, data)), 'Gauge');
      const gauge = '<p style="all: initial; display: block; font: 12pt Inter">Gauge</p>';
      const alone = await printProbe(gauge, {});
      expect(alone).toBeGreaterThan(30);
      for (const { name, data } of variantsOf(starter).filter((each) =>
        ['sample', 'long', 'words'].includes(each.name),
      ))
        expect(await printProbe(starter.html.replace('</body>', `${gauge}</body>`), data), name).toBeCloseTo(
          alone,
          1,
        );
    },
    60_000,
  );

  test.each([
    ['event-ticket', 'Entrance'],
    ['purchase-order', 'Supplier'],
  ] as const)('%s has a right border of full width at 300 dpi', async (slug, word) => {
    const starter = starters.find((each) => each.slug === slug)!;
    for (const paper of papersOf(starter)) {
      const pdf = await service().pdf(requestFor(starter, starter.sample_data, paper));
      const width = await rightBorderWidth(pdf, word);
      // A CSS pixel has 3.1 dots at 300 dpi.
      expect(width, `${paper}`).toBeGreaterThanOrEqual(3);
    }
  });

  test('report has the correct page numbers in its contents', async () => {
    const starter = starters.find(({ slug }) => slug === 'report')!;
    for (const data of [starter.sample_data, tripled(starter.sample_data)]) {
      const pdf = await service().pdf(requestFor(starter, data));
      const pages = (await pdfText(pdf)).split('\f');
      const entries = [
        ...pages.join('\n').matchAll(/^ *(?<number>\d+) +(?<title>\p{L}.*?) {2,}(?<page>\d+)$/gmu),
      ];
      const listed = entries.map(({ groups }) => [groups?.['number'], Number(groups?.['page'])]);
      const sections = data['sections'] as { title: string }[];
      const headings = sections.map(({ title }, index) => {
        const heading = new RegExp(`^ *${index + 1} +${title} *$`, 'm');
        return [`${index + 1}`, pages.findIndex((page) => heading.test(page)) + 1];
      });
      expect(listed).toEqual(headings);
    }
  });

  test('receipt-80mm is as long as its content', async () => {
    const starter = starters.find(({ slug }) => slug === 'receipt-80mm')!;
    for (const data of [starter.sample_data, tripled(starter.sample_data)]) {
      const { height, bottom } = await lastWord(await service().pdf(requestFor(starter, data)));
      expect((height - bottom) / height).toBeLessThan(0.04);
    }
  });

  test('contract has at least two paragraphs on the page of the signatures, and keeps short lists together', async () => {
    const starter = starters.find(({ slug }) => slug === 'contract')!;
    for (const data of [starter.sample_data, tripled(starter.sample_data)]) {
      const pdf = await service().pdf(requestFor(starter, data));
      const pages = (await pdfText(pdf)).split('\f').slice(0, -1);
      const signing = pages.find((page) => page.includes('Signature'));
      expect(signing?.match(/^\s*\d+\.\d+\s/gm)?.length).toBeGreaterThanOrEqual(2);
      const itemsByPage = pages.map(
        (page) => page.match(/^\s*\([a-c]\)\s+(?=\d+ per cent)/gm)?.map((item) => item.trim()) ?? [],
      );
      expect(itemsByPage.flat().length).toBeGreaterThanOrEqual(3);
      for (const items of itemsByPage) expect(items.length % 3).toBe(0);
    }
  });
});
