/**
 * The messages of a template in several languages. They are parsed only in the sandbox.
 * @module
 */
import { explainTaskFailure, fieldGroup, invalid, Type, type RawJson } from '../../src/plugin.ts';
import { MAX_TRANSLATIONS_BYTES } from '../documents/exports.ts';
import type { Handlebars } from '../documents/contract.ts';
import type {
  TemplateBody,
  TemplateFormat,
  TemplateInput,
  TemplatesService,
  VersionFields,
} from './contract.ts';

const TIMEOUT_MS = 5_000;

const FAILURES = {
  path: 'translations',
  deadline: `checking the translations takes longer than ${TIMEOUT_MS} ms`,
  memory: 'checking the translations exceeds the memory limit',
  waiting: 'templates',
  failed: 'the translations could not be checked',
};

/** The fields of a response, only for a template with translations. */
export const translationProperties = fieldGroup('TemplateTranslations', {
  translations: Type.Optional(
    Type.Unsafe<Stored['messages']>({ type: 'object', additionalProperties: true }),
  ),
  default_locale: Type.Optional(Type.String()),
});

/** The stored form, which is `Translations` of `@platen/templates`. */
interface Stored {
  messages: Record<string, Record<string, string>>;
  defaultLocale: string;
}

/** Creates the function that checks translations; see `TemplateSource.readTranslations`. */
export function createTranslationCheck(handlebars: Handlebars): TemplatesService['readTranslations'] {
  return async (translations, defaultLocale) => {
    if (translations === undefined) throw invalid('default_locale', 'needs translations: send both');
    if (translations.sizeBytes > MAX_TRANSLATIONS_BYTES)
      throw invalid('translations', `must have at most ${MAX_TRANSLATIONS_BYTES} bytes of JSON`);
    const checking = handlebars.checkTranslations({ json: translations.text }, { timeoutMs: TIMEOUT_MS });
    const result = await checking.catch((error: unknown) => {
      throw explainTaskFailure(error, FAILURES);
    });
    if (!result.ok) throw invalid(result.part ?? 'translations', result.message);
    const messages: Stored['messages'] = JSON.parse(result.value.json);
    const languages = Object.keys(messages);
    const [first] = languages;
    if (first === undefined) {
      if (defaultLocale !== undefined) throw invalid('default_locale', 'needs a language in translations');
      return null;
    }
    const named = defaultLocale?.replaceAll('_', '-').toLowerCase() ?? 'en';
    const found = languages.find((language) => language.toLowerCase() === named);
    if (defaultLocale !== undefined && found === undefined)
      throw invalid('default_locale', `must be a language of translations: ${languages.join(', ')}`);
    return JSON.stringify({ messages, defaultLocale: found ?? first } satisfies Stored);
  };
}

/** Reads the translations of a request. Absent fields stay absent. @throws {AppError} VALIDATION_ERROR */
export async function readTranslations(
  fields: { translations?: RawJson | undefined; default_locale?: string | undefined },
  { readTranslations: read }: Pick<TemplatesService, 'readTranslations'>,
): Promise<Pick<TemplateInput, 'translationsJson'>> {
  const { translations, default_locale: defaultLocale } = fields;
  if (translations === undefined && defaultLocale === undefined) return {};
  return { translationsJson: await read(translations, defaultLocale) };
}

export function presentTranslations({ translationsJson }: Pick<VersionFields, 'translationsJson'>): {
  translations?: Stored['messages'];
  default_locale?: string;
} {
  if (translationsJson === undefined || translationsJson === null) return {};
  const { messages, defaultLocale }: Stored = JSON.parse(translationsJson);
  return { translations: messages, default_locale: defaultLocale };
}

type Parsed = Pick<TemplateInput, 'translationsJson' | 'isPartial'> & TemplateBody;

/**
 * Tells whether a template has the helper `t`. In a partial it gives the messages of the template that calls
 * the partial.
 */
export function isTranslated({ translationsJson = null, isPartial = false }: Omit<Parsed, 'html'>): boolean {
  return translationsJson !== null || isPartial;
}

/** Tells whether the HTML of a template must be parsed again after a change. */
export function mustParse(before: Parsed, after: Parsed): boolean {
  if (after.file) return false;
  return before.html !== after.html || isTranslated(before) !== isTranslated(after);
}

/** @throws {AppError} VALIDATION_ERROR for translations of an office file */
export function requireNoTranslations(
  format: TemplateFormat | undefined,
  { translationsJson = null }: Pick<TemplateInput, 'translationsJson'>,
): void {
  if (translationsJson === null || format === undefined || format === 'html') return;
  throw invalid('translations', `is not for this template, which is a ${format} file`);
}
