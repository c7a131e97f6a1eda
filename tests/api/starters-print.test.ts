import { expect, test } from 'bun:test';
import { describeWithPdfTools, pdfText } from '../support/pdf.ts';
import { sharedService } from '../support/shared-service.ts';
import { casesOfSuite } from '../support/suite.ts';
import { layoutFaults } from '../support/starter-layout.ts';
import { HOSTILE, variantsOf } from '../support/starter-variants.ts';
import { papersOf, readStarters, requestFor } from '../support/starters.ts';

const starters = readStarters();

/** Label of the sum that must not be alone on a page. */
const TOTALS: Record<string, string> = {
  'invoice-simple': 'Total due',
  'invoice-modern': 'Total',
  'invoice-tax-breakdown': 'Net total',
  'purchase-order': 'Order total',
  quote: 'Total',
  'statement-monthly': 'Balance carried forward',
  payslip: 'Total deductions',
};

/** Text that the style sheet prints at the foot of every page with hostile data. */
const FOOTERS: Record<string, string> = {
  'invoice-simple': `Invoice ${HOSTILE} ${HOSTILE}`,
  'invoice-modern': `${HOSTILE} ${HOSTILE}`,
  'invoice-tax-breakdown': `${HOSTILE} ${HOSTILE} ${HOSTILE} ${HOSTILE} · ${HOSTILE} ${HOSTILE}`,
  'purchase-order': `Purchase order ${HOSTILE} ${HOSTILE}`,
  quote: `Quote ${HOSTILE} ${HOSTILE}`,
  'statement-monthly': `Account ${HOSTILE} ${HOSTILE}`,
};

describeWithPdfTools('the printed starter', () => {
  const service = sharedService();
  const printed = casesOfSuite(starters, 3);

  test.each(printed.map((starter) => [starter.slug, starter] as const))(
    '%s has no layout faults with its sample on each paper or with 60 long rows, and prints without data',
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
      await service().pdf(requestFor(starter, {}));

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
});
