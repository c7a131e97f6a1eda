import { describe, expect, test } from 'bun:test';
import { checkTranslations, compileTemplate } from '@platen/templates';
import { LABELS_BY_LANGUAGE } from '../../packages/templates/labels/labels.ts';
import { ONE_LANGUAGE, readStarters, type StarterFile } from '../../tests/support/starters/starters.ts';
import type { JsonObject } from '../../tests/support/starters/variants.ts';

const all = readStarters();
const translated = all.flatMap((starter) =>
  starter.translations ? [[starter.slug, starter, starter.translations] as const] : [],
);
const LANGUAGES = [...LABELS_BY_LANGUAGE.keys()].toSorted();

/** Renders a starter in the locale of a request, with or without its translations. */
function render(
  { html, translations: messages }: Pick<StarterFile, 'html' | 'translations'>,
  { data, locale }: { data: JsonObject; locale?: string },
): string {
  const translations = messages && { messages, defaultLocale: 'en' };
  const rendered = compileTemplate({ source: html, data, locale, ...(translations && { translations }) });
  if (!rendered.ok) throw new Error(rendered.message);
  const missing = rendered.value.missing?.map(({ path }) => path) ?? [];
  expect(missing.filter((path) => path.startsWith('translations.'))).toEqual([]);
  return rendered.value.html;
}

describe('the translations of', () => {
  test.each(translated)('%s have every message in every language', (_, starter, translations) => {
    expect(starter.default_locale).toBe('en');
    expect(Object.keys(translations).toSorted()).toEqual(LANGUAGES);
    const names = Object.keys(translations['en']!).toSorted();
    expect(names.length).toBeGreaterThan(0);
    for (const [language, messages] of Object.entries(translations))
      expect([language, ...Object.keys(messages).toSorted()]).toEqual([language, ...names]);
    expect(checkTranslations({ json: JSON.stringify(translations) })).toMatchObject({ ok: true });
  });

  test.each(translated)(
    '%s are used, and have the arguments of the English message',
    (_, starter, messages) => {
      for (const [name, english] of Object.entries(messages['en']!)) {
        expect(starter.html).toMatch(new RegExp(`\\b(?:labelOf|t) "${name}"`));
        const argumentsOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
        for (const texts of Object.values(messages))
          expect(argumentsOf(texts[name]!)).toEqual(argumentsOf(english));
      }
    },
  );

  test.each(translated)('%s differ from the built-in labels of the same names', (_, __, translations) => {
    for (const name of Object.keys(translations['en']!)) {
      const different = Object.entries(translations).filter(([language, messages]) => {
        const labels: Readonly<Record<string, string>> = LABELS_BY_LANGUAGE.get(language)!;
        return labels[name] !== messages[name];
      });
      expect([name, different.length]).not.toEqual([name, 0]);
    }
  });

  test.each(translated)('%s change nothing in other languages', (_, starter) => {
    const { html } = starter;
    // Without translations into Portuguese, the words are English.
    const request = { data: starter.sample_data, locale: 'pt-BR' };
    expect(render(starter, request)).toBe(render({ html }, request));
  });
});

/** A page in each language: its words in the language, and words that would be English. */
const EXPECTED: [slug: string, locale: string, words: string[], not: string[]][] = [
  ['invoice-modern', 'fr-FR', ['Émetteur', 'Total HT', 'à régler au plus tard le 29 mars 2026'], ['From']],
  ['invoice-modern', 'es-ES', ['Emisor', 'Base imponible', '27 feb 2026'], ['Issued']],
  ['contract', 'fr-CA', ['(ci-après «\u00a0Client\u00a0»)', 'Préambule'], ['Background']],
  ['shipping-label', 'de-AT', ['Absender', 'Empfänger'], ['From', 'Ship to']],
  ['packing-slip', 'ja-JP', ['出荷日', '2026/11/24'], ['Shipped']],
  ['timesheet', 'ar-EG', ['سجل ساعات العمل، <bdi>', '٣٩٫٥٠'], ['Timesheet']],
  ['certificate', 'fr-FR', ['Certificate of Completion\u00a0: Amara', '</bdi>, le 27 mars 2026'], []],
  ['meeting-minutes', 'de-DE', ['TOP', 'Beschluss'], ['>Item<', '>Decision<']],
];

test.each(EXPECTED)('%s says the words of %s', (slug, locale, words, not) => {
  const starter = all.find((each) => each.slug === slug)!;
  const html = render(starter, { data: starter.sample_data, locale });
  for (const word of words) expect(html).toContain(word);
  for (const word of not) expect(html).not.toContain(word);
});

test('starters of one country or of data have no translations', () => {
  const slugs = all.map(({ slug }) => slug);
  expect([...ONE_LANGUAGE].filter((slug) => !slugs.includes(slug))).toEqual([]);
  expect(translated.filter(([slug]) => ONE_LANGUAGE.has(slug))).toEqual([]);
});
