import { canonicalTag } from '@platen/templates/translation-names';
import { AppError, invalid, isBlankField } from '../../../src/plugin.ts';
import type { SourceFields } from '../../documents/contract.ts';
import type { Source } from '../contract.ts';
import { readUrlSource } from '../url/read-url.ts';

/** A request has exactly one of these fields. */
const SOURCES = ['html', 'template', 'react', 'markdown', 'url'] as const;

/** The fields that only a URL has. */
const URL_FIELDS = ['cookies', 'headers', 'basic_auth', 'user_agent'] as const;

/**
 * Reads the source of a request. `htmlField` is the name under which the request has its HTML.
 * @throws {AppError} VALIDATION_ERROR that names the fields, for no source or several, or for a field that
 * does not apply to the source.
 */
export function readSource(fields: SourceFields, { htmlField = 'html' } = {}): Source {
  const nameOf = (source: (typeof SOURCES)[number]) => (source === 'html' ? htmlField : source);
  const given = SOURCES.filter((source) => fields[source] !== undefined);
  if (given.length === 0) throw wrongNumber(SOURCES.map(nameOf), (names) => `one of ${names} is required`);
  if (given.length > 1) throw wrongNumber(given.map(nameOf), (names) => `send only one of ${names}`);

  const { html, template, template_version: templateVersion, react, markdown, url } = fields;
  for (const name of URL_FIELDS)
    if (url === undefined && !isBlankField(fields[name])) throw invalid(name, 'is only for url');
  if (template !== undefined) return { templateId: template, templateVersion };
  if (templateVersion !== undefined) throw invalid('template_version', 'is only for a stored template');
  if (url !== undefined && !isBlankField(fields.data))
    throw invalid('data', 'is not for url: a web page is not a template');
  if (url !== undefined) return readUrlSource(fields);
  if (react !== undefined) return { react };
  return markdown === undefined ? { html: html ?? '' } : { markdown };
}

/**
 * Reads the locale of a request in its canonical form; `de_AT` counts as `de-AT`.
 * @throws {AppError} VALIDATION_ERROR for `locale`
 */
export function readLocale({
  locale,
  url,
  react,
}: Pick<SourceFields, 'locale' | 'url' | 'react'>): string | undefined {
  if (locale === undefined || locale === '') return undefined;
  if (url !== undefined) throw invalid('locale', 'is not for url: a web page is not a template');
  if (react !== undefined)
    throw invalid('locale', 'is not for react: send the locale in data, which becomes the props');
  const tag = canonicalTag(locale);
  if (tag === undefined) throw invalid('locale', 'must be a language tag such as de-AT');
  return tag;
}

function wrongNumber(fields: readonly string[], say: (names: string) => string): AppError {
  const message = say(`${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`);
  return new AppError('VALIDATION_ERROR', message, { details: fields.map((path) => ({ path, message })) });
}
