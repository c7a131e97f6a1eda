import { describe, expect, test } from 'bun:test';
import { compileTemplate } from '@platen/templates';
import { EN } from '../../packages/templates/labels/en.ts';
import { LABELS_BY_LANGUAGE } from '../../packages/templates/labels/labels.ts';
import { readStarters, type StarterFile } from '../../tests/support/starters/starters.ts';
import { variantsOf, type JsonObject } from '../../tests/support/starters/variants.ts';

const starters = readStarters().map((starter) => [starter.slug, starter] as const);
const LOCALES = ['en-GB', 'de-DE', 'fr-FR', 'es-ES', 'ar-EG', 'he-IL', 'ja-JP'];

/** Renders a clone of a starter, which has its translations. `locale` is that of the request. */
function render(starter: StarterFile, data: JsonObject, locale?: string): string {
  const { html, translations: messages, default_locale: defaultLocale = 'en' } = starter;
  const translations = messages && { messages, defaultLocale };
  const rendered = compileTemplate({ source: html, data, locale, ...(translations && { translations }) });
  if (!rendered.ok) throw new Error(rendered.message);
  return rendered.value.html;
}

/** Returns the names of the labels that a template asks for. */
function labelsOf({ html }: StarterFile): (keyof typeof EN)[] {
  return [...html.matchAll(/labelOf "(\w+)"/g)].map(([, name]) => name as keyof typeof EN);
}

/** Returns the text of a document: of its elements, its title, its alternatives and its page margins. */
function textOf(html: string): string {
  const margins = [...html.matchAll(/content: ("[^;}]*)/g)].map(([, content = '']) =>
    content.replaceAll(/counter\([^)]*\)/g, ''),
  );
  const alternatives = [...html.matchAll(/(?:alt|aria-label)="([^"]*)"/g)].map(([, text]) => text);
  const elements = html.replace(/<style>[^]*?<\/style>/g, '').replaceAll(/<[^>]*>/g, '\n');
  return [...margins, ...alternatives, elements].join('\n');
}

describe('the starter', () => {
  test.each(starters)('%s has no words of its own', (_, { html }) => {
    const own = textOf(html.replaceAll(/\{\{[^]*?\}\}/g, ' ')).replaceAll(/&\w+;|calc\(/g, '');
    expect(own.match(/\p{L}{2,}/gu) ?? []).toEqual([]);
    expect(
      html.match(/default [\w.@]+ "[^"]*[a-z]{2}[^"]*"/g)?.filter((text) => !text.endsWith('"en"')) ?? [],
    ).toEqual([]);
  });

  test.each(starters)('%s is printed in each language without English headings', (_, starter) => {
    const names = labelsOf(starter);
    const { en = {} } = starter.translations ?? {};
    const unknown = names.filter((name) => !Object.hasOwn(EN, name) && !Object.hasOwn(en, name));
    expect(unknown.filter((name) => !name.startsWith('unit_'))).toEqual([]);
    const foreign = variantsOf(starter).find(({ name }) => name === 'chinese')!.data;
    for (const locale of LOCALES) {
      const language = locale.slice(0, 2);
      const labels = { ...LABELS_BY_LANGUAGE.get(language)!, ...starter.translations?.[language] };
      const html = render(starter, { ...foreign, tax_label: '税' }, locale);
      const direction = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
      expect(html).toMatch(new RegExp(`^<!doctype html>\n<html lang="${locale}" dir="${direction}">`));
      const lines = textOf(html + render(starter, { locale }))
        .split('\n')
        .map((line) => line.trim());
      const spoken: string[] = Object.values(labels);
      const english = names.map((name) => EN[name]).filter((text) => text && !spoken.includes(text));
      if (language !== 'en')
        expect(
          lines.filter((line) => english.includes(line as never)),
          locale,
        ).toEqual([]);
      const printed = names.filter((name) => lines.includes(labels[name]));
      if (starter.slug !== 'letter') expect(printed.length, locale).toBeGreaterThan(0);
    }
  });

  test.each(starters)('%s prints the labels of the data', (_, starter) => {
    const labels = Object.fromEntries(labelsOf(starter).map((name) => [name, `«${name}»`]));
    const html = render(starter, { ...starter.sample_data, locale: 'it-IT', labels });
    expect(html).toContain('<html lang="it-IT" dir="ltr">');
    expect(textOf(html)).toMatch(/«\w+»|\\ab \w+/);
  });

  test.each(starters)('%s has the same sides in both directions of writing', (_, { html }) => {
    expect(html).not.toMatch(
      /(?:text-align|float): (?:left|right)|(?:padding|margin|border)-(?:left|right):/,
    );
  });
});

test('IBANs are printed in groups of four', () => {
  for (const [slug, iban] of [
    ['statement-monthly', 'GB00 WHAR 0041 8700 4172 36'],
    ['invoice-tax-breakdown', 'NL00 DOMS 0417 2360 00'],
    ['e-invoice', 'DE89 3704 0044 0532 0130 00'],
  ] as const) {
    const starter = starters.find(([name]) => name === slug)![1];
    expect(textOf(render(starter, starter.sample_data))).toContain(iban);
  }
});
