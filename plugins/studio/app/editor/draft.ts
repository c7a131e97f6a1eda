import type { PageOptions, Template } from '../data/types.ts';

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
  translations?: Template['translations'];
  default_locale?: Template['default_locale'];
}

export function draftOf(template: Template): Draft {
  return {
    name: template.name,
    html: template.html_content ?? '',
    dataText: JSON.stringify(template.sample_data ?? {}, null, 2),
    options: template.options ?? {},
    schema: template.schema,
    ...wordsOf(template),
  };
}

/** Returns the translations of a template as fields of a request. */
export function wordsOf({
  translations,
  default_locale,
}: Pick<Draft, 'translations' | 'default_locale'>): Pick<Draft, 'translations' | 'default_locale'> {
  return translations === undefined || default_locale === undefined ? {} : { translations, default_locale };
}

export function isSameDraft(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
