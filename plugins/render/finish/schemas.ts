import { Type } from '../../../src/plugin.ts';

const MAX_TEXT = 2_000;
const MAX_KEYWORDS = 100;
const MAX_KEYWORD = 100;

const text = (name: string) =>
  Type.String({
    maxLength: MAX_TEXT,
    expected: `a string of at most ${MAX_TEXT} characters`,
    description: `The ${name} of the document.`,
  });

const Keyword = Type.String({
  minLength: 1,
  maxLength: MAX_KEYWORD,
  pattern: '^[^,;]*$',
  expected: `a string of 1 to ${MAX_KEYWORD} characters without commas and semicolons`,
});

/** The schemas of the properties of a document that a caller can set. */
export const propertySchemas = {
  title: text('title'),
  author: text('author'),
  subject: text('subject'),
  keywords: Type.Array(Keyword, { maxItems: MAX_KEYWORDS }),
  language: Type.String({
    maxLength: 100,
    pattern: '^([A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,20})?$',
    expected: 'a language tag such as "en-GB"',
    description: 'The language of the document (BCP 47), such as "en-GB".',
  }),
};

/** The option `properties`. */
export const DocumentProperties = Type.Object(
  {
    title: Type.Optional(propertySchemas.title),
    author: Type.Optional(propertySchemas.author),
    subject: Type.Optional(propertySchemas.subject),
    keywords: Type.Optional(propertySchemas.keywords),
    language: Type.Optional(propertySchemas.language),
  },
  {
    additionalProperties: false,
    title: 'DocumentProperties',
    description:
      'Properties of the PDF, in its information dictionary and XMP metadata. By default, the title is that of the document. An empty value removes a property.',
  },
);
