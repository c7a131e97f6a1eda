import { invalid, isBlankField, type RawJson } from '../../../src/plugin.ts';
import type { TemplateSource } from '../../templates/contract.ts';

/** The fields of a request that send a template with its messages. */
interface TranslatedSource {
  html?: string | undefined;
  markdown?: string | undefined;
  translations?: RawJson | undefined;
  default_locale?: string | undefined;
}

/**
 * Reads the translations that are sent with HTML or Markdown, which they make a template. `htmlField` is the
 * name under which the request has its HTML.
 * @throws {AppError} VALIDATION_ERROR
 */
export async function readTranslations(
  { html, markdown, translations, default_locale: defaultLocale }: TranslatedSource,
  { templates, htmlField = 'html' }: { templates: TemplateSource | undefined; htmlField?: string },
): Promise<string | undefined> {
  // Generated clients send empty values for absent fields.
  if (isBlankField(translations) && isBlankField(defaultLocale)) return undefined;
  const name = isBlankField(translations) ? 'default_locale' : 'translations';
  if (html === undefined && markdown === undefined)
    throw invalid(name, `is only for ${htmlField} and markdown: a stored template has its own`);
  if (!templates?.readTranslations) throw invalid(name, 'needs the plugin "templates", which is off');
  return (await templates.readTranslations(translations, defaultLocale)) ?? undefined;
}
