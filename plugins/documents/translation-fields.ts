import { fieldGroup, RawObject, Type } from '../../src/plugin.ts';

/** The maximum size of all messages in JSON. Lists read them with every template. */
export const MAX_TRANSLATIONS_BYTES = 131_072;

const defaultLocaleField = Type.String({
  maxLength: 35,
  expected: 'a language tag such as en',
  description:
    'The language of `translations` for requests without `locale`, and for missing messages; en or else the first when absent.',
});

/** The fields of a request. */
export const translationFields = fieldGroup('TranslationFields', {
  translations: Type.Optional(
    RawObject({
      description: `Messages by language and name in the ICU format, \`{"de": {"total": "Summe"}}\`, for \`{{t "total"}}\`; at most ${MAX_TRANSLATIONS_BYTES} bytes. \`{}\` removes them.`,
    }),
  ),
  default_locale: Type.Optional(defaultLocaleField),
});
