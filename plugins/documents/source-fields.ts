import { fieldGroup, RawObject, Type, type Static } from '../../src/plugin.ts';
import { versionChoice } from './templates.ts';
import { urlFields } from './url-fields.ts';

const MAX_HTML_CHARACTERS = 30_000_000;
const MAX_SOURCE_CHARACTERS = 12_000_000;
const MAX_MARKDOWN_CHARACTERS = 2_000_000;

/**
 * The fields of a request that hold the source of its document. A request has exactly one of `html`,
 * `template`, `react`, `markdown` and `url`.
 */
export const sourceFields = fieldGroup('SourceFields', {
  html: Type.Optional(
    Type.String({
      title: 'HtmlSource',
      minLength: 1,
      maxLength: MAX_HTML_CHARACTERS,
      expected: `a string of 1 to ${MAX_HTML_CHARACTERS} characters`,
      description: 'The HTML of the document. With `data` it is a Handlebars template.',
    }),
  ),
  template: Type.Optional(
    Type.String({
      title: 'TemplateId',
      minLength: 1,
      maxLength: 100,
      description: 'The id of a stored template, `tmpl_…`, or its alias.',
    }),
  ),
  template_version: Type.Optional(
    versionChoice('The version of `template` to use, or `draft`; the current one when absent.'),
  ),
  react: Type.Optional(
    Type.String({
      title: 'ReactSource',
      minLength: 1,
      maxLength: MAX_SOURCE_CHARACTERS,
      expected: `a string of 1 to ${MAX_SOURCE_CHARACTERS} characters`,
      description: 'JSX or TSX whose default export is a component. `data` becomes its props.',
    }),
  ),
  markdown: Type.Optional(
    Type.String({
      title: 'MarkdownSource',
      minLength: 1,
      maxLength: MAX_MARKDOWN_CHARACTERS,
      expected: `a string of 1 to ${MAX_MARKDOWN_CHARACTERS} characters`,
      description:
        'GitHub-flavoured Markdown, printed with a default style sheet. Raw HTML in it is treated like `html`. With `data` it is a Handlebars template.',
    }),
  ),
  ...urlFields,
  data: Type.Optional(
    RawObject({
      title: 'TemplateData',
      description: 'Values for the variables of the template, or the props of the component.',
    }),
  ),
  locale: Type.Optional(
    Type.String({
      title: 'Locale',
      maxLength: 35,
      expected: 'a language tag such as de-AT',
      description:
        'The language of the messages and of the formats of a template, such as `de-AT`; it takes the place of `data.locale`.',
    }),
  ),
  styles: Type.Optional(
    Type.String({
      title: 'ExtraStyles',
      maxLength: MAX_SOURCE_CHARACTERS,
      description: "CSS that is added at the end of the document's head.",
    }),
  ),
});

const Sources = Type.Object(sourceFields);

/** The fields of a request that hold the source of its document. */
export type SourceFields = { [K in keyof Static<typeof Sources>]: Static<typeof Sources>[K] | undefined };
