import type { PageOptions, Template } from '../data/types.ts';
import type { Messages, Translations } from '../translations/messages.ts';

/**
 * The parts of a template that the editor changes. The sample data is text, because it may not be valid JSON
 * yet.
 */
export interface Draft {
  name: string;
  html: string;
  dataText: string;
  options: PageOptions;
  schema: Record<string, string>;
  /** Absent in a template without translations. */
  translations?: Translations | undefined;
}

/** The fields of a request or a response that have the translations. */
type TranslationFields = Pick<Template, 'translations' | 'default_locale'>;

export function draftOf(template: Template): Draft {
  return {
    name: template.name,
    html: template.html_content ?? '',
    dataText: JSON.stringify(template.sample_data ?? {}, null, 2),
    options: template.options ?? {},
    schema: template.schema,
    ...readTranslations(template),
  };
}

function readTranslations({
  translations,
  default_locale: defaultLocale,
}: TranslationFields): Pick<Draft, 'translations'> {
  if (translations === undefined || defaultLocale === undefined) return {};
  return { translations: { messages: translations as Messages, defaultLocale } };
}

/** Returns the translations of a draft as fields of a request; no fields for a draft without translations. */
export function translationFields({ translations }: Pick<Draft, 'translations'>): TranslationFields {
  return translations
    ? { translations: translations.messages, default_locale: translations.defaultLocale }
    : {};
}

/** Returns the fields that store the translations of a draft, or remove those of the stored template. */
export function storedTranslations(draft: Draft, stored: Template): TranslationFields {
  return !draft.translations && stored.translations ? { translations: {} } : translationFields(draft);
}

export function isSameDraft(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
