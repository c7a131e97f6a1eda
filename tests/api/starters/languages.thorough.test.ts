import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { layoutFaults } from '../../support/starters/layout.ts';
import { ONE_LANGUAGE, readStarters, requestFor, type StarterFile } from '../../support/starters/starters.ts';
import type { JsonObject } from '../../support/starters/variants.ts';

const LOCALES = ['de-DE', 'fr-FR', 'es-ES', 'ar-EG', 'ja-JP'];
const starters = readStarters().filter(({ slug }) => !ONE_LANGUAGE.has(slug));

/** English words of templates and dates that are also words of the language. */
const SHARED: Record<string, Set<string>> = {
  'de-DE': new Set(['april', 'bank', 'iban', 'name', 'option', 'position']),
  'fr-FR': new Set([
    'date',
    'fax',
    'nov',
    'option',
    'options',
    'page',
    'parties',
    'position',
    'signature',
    'total',
  ]),
  'es-ES': new Set(['nov', 'ref', 'subtotal', 'total']),
  'ar-EG': new Set(['bic', 'iban']),
  'ja-JP': new Set(['bic', 'iban', 'no', 'qr']),
};

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{Script=Latin}{2,}/gu) ?? []);

const hardDataOf = ({ slug }: StarterFile): JsonObject =>
  JSON.parse(readFileSync(join(import.meta.dir, `../../../starters/cases/${slug}/hard.json`), 'utf8'));

describeWithPdfTools('the starter', () => {
  const service = sharedService();

  test.each(starters.map((starter) => [starter.slug, starter] as const))(
    '%s is printed in each language without warnings, layout faults and English words of its own',
    async (slug, starter) => {
      const { html, translations, default_locale } = starter;
      const words = translations && { translations, default_locale };
      const created = await service().post('/v1/templates', { name: slug, html_content: html, ...words });
      expect(created.status).toBe(201);
      const print = async (name: string, data: JsonObject, locale: string) => {
        const { html: _, ...request } = requestFor(starter, data) as { html: string };
        const { status, body } = await service().post('/v1/generate', {
          ...request,
          template: created.body.id,
          locale,
        });
        expect([locale, name, status, body.warnings ?? body.error]).toEqual([locale, name, 200, []]);
        const pdf = Buffer.from(body.data, 'base64');
        expect([locale, name, ...(await layoutFaults(pdf, { starter, variant: { name, data } }))]).toEqual([
          locale,
          name,
        ]);
        return pdfText(pdf);
      };
      const data = wordsOf(JSON.stringify(starter.sample_data));
      const english = wordsOf(await print('sample', starter.sample_data, 'en-GB'));
      const own = [...english].filter((word) => !data.has(word));
      const left: string[] = [];
      for (const locale of LOCALES) {
        const printed = wordsOf(await print('sample', starter.sample_data, locale));
        const shared = SHARED[locale]!;
        left.push(
          ...own.filter((word) => printed.has(word) && !shared.has(word)).map((word) => `${locale} ${word}`),
        );
        await print('hard', hardDataOf(starter), locale);
      }
      expect(left).toEqual([]);
    },
    120_000,
  );
});
