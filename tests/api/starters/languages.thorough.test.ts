import { $ } from 'bun';
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { layoutFaults, readPages } from '../../support/starters/layout.ts';
import {
  localizedRequest,
  ONE_LANGUAGE,
  readStarters,
  requestFor,
  templateOf,
  type StarterFile,
} from '../../support/starters/starters.ts';
import type { JsonObject } from '../../support/starters/variants.ts';

const LOCALES = ['de-DE', 'fr-FR', 'es-ES', 'ar-EG', 'he-IL', 'ja-JP'];
const starters = readStarters().filter(({ slug }) => !ONE_LANGUAGE.has(slug));

/** English words of templates, and names of months, that are also words of the language. */
const SHARED: Record<string, string> = {
  'de-DE': 'april bank bic feb iban name option position september',
  'fr-FR':
    'bic client contact date iban instructions net nov option options page parties pause signature total',
  'es-ES': 'bic feb iban jun mar may nov ref subtotal total',
  // The codes of bank accounts.
  'ar-EG': 'bic iban',
  'he-IL': 'bic iban',
  // "No." is the usual heading of a column of numbers.
  'ja-JP': 'bic iban no',
};

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{Script=Latin}{2,}/gu) ?? []);

const hardDataOf = ({ slug }: StarterFile): JsonObject =>
  JSON.parse(readFileSync(join(import.meta.dir, `../../../starters/cases/${slug}/hard.json`), 'utf8'));

describeWithPdfTools('the starter', () => {
  const service = sharedService();

  test.each(starters.map((starter) => [starter.slug, starter] as const))(
    '%s is printed in each language without warnings, layout faults and English words of its own',
    async (_, starter) => {
      const { body: stored } = await service().post('/v1/templates', templateOf(starter));
      const print = async (name: string, data: JsonObject, locale: string) => {
        const request = localizedRequest(starter, { template: stored.id, data, locale });
        const { status, body } = await service().post('/v1/generate', request);
        expect([locale, name, status, body.warnings ?? body.error]).toEqual([locale, name, 200, []]);
        const pdf = Buffer.from(body.data, 'base64');
        expect([locale, name, ...(await layoutFaults(pdf, { starter, variant: { name, data } }))]).toEqual([
          locale,
          name,
        ]);
        return pdfText(pdf);
      };
      const data = wordsOf(JSON.stringify(starter.sample_data).replaceAll(String.raw`\n`, ' '));
      const english = wordsOf(await print('sample', starter.sample_data, 'en-GB'));
      const own = [...english].filter((word) => !data.has(word));
      expect(own.length).toBeGreaterThan(0);
      const left: string[] = [];
      for (const locale of LOCALES) {
        const printed = wordsOf(await print('sample', starter.sample_data, locale));
        const shared = wordsOf(SHARED[locale]!);
        left.push(
          ...own.filter((word) => printed.has(word) && !shared.has(word)).map((word) => `${locale} ${word}`),
        );
        await print('hard', hardDataOf(starter), locale);
      }
      expect(left).toEqual([]);
    },
    120_000,
  );

  test('report has the labels of a chart below their values from right to left', async () => {
    const starter = starters.find(({ slug }) => slug === 'report')!;
    const data = { ...starter.sample_data, locale: 'ar-EG' };
    const pdf = await service().pdf(requestFor(starter, data));
    const pages = readPages(await $`pdftotext -bbox - - < ${Buffer.from(pdf)}`.text());
    const chart = pages.find(({ words }) => words.some(({ text }) => text === '٦١٢'))!;
    const centreOf = (label: string) => {
      const { left, right } = chart.words.find(({ text }) => text === label)!;
      return (left + right) / 2;
    };
    expect(Math.abs(centreOf('2018') - centreOf('٦١٢'))).toBeLessThan(2);
    expect(Math.abs(centreOf('2025') - centreOf('١٬٨٤٦'))).toBeLessThan(2);
  });
});
