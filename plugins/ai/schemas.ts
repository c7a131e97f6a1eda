import { CountedText, Type } from '../../src/plugin.ts';
import { CATEGORIES } from '../documents/exports.ts';
import type { TemplateStyle } from './contract.ts';

/** Many times the longest valid body, so that a value that is too long is reported by its field. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

const STYLES = ['professional', 'modern', 'minimal', 'colorful'] as const satisfies readonly TemplateStyle[];
const MAX_PROMPT_CHARACTERS = 2_000;
const MAX_VARIABLES = 100;
const MAX_NAME_CHARACTERS = 100;

const literals = <const T extends readonly string[]>(names: T, title: string, description: string) =>
  Type.Union(
    names.map((name) => Type.Literal(name as T[number])),
    { title, description },
  );

/** The body of `POST /v1/ai/generate-template`. */
export const GenerateTemplateBody = Type.Object(
  {
    prompt: CountedText({
      minLength: 1,
      maxLength: MAX_PROMPT_CHARACTERS,
      expected: `a text of 1 to ${MAX_PROMPT_CHARACTERS} characters`,
      description: 'The purpose and the content of the document.',
    }),
    type: Type.Optional(
      literals(CATEGORIES, 'TemplateCategory', 'The type of the document; other when absent.'),
    ),
    style: Type.Optional(
      literals(STYLES, 'TemplateStyle', 'The look of the document; professional when absent.'),
    ),
    variables: Type.Optional(
      Type.Array(
        Type.String({
          minLength: 1,
          maxLength: MAX_NAME_CHARACTERS,
          pattern: String.raw`^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*$`,
          expected: `a name such as total or customer.name (letters, digits, underscores and full stops, 1 to ${MAX_NAME_CHARACTERS} characters)`,
        }),
        {
          maxItems: MAX_VARIABLES,
          expected: `a list of at most ${MAX_VARIABLES} names`,
          description: `Names that the template must use, at most ${MAX_VARIABLES}.`,
        },
      ),
    ),
  },
  { additionalProperties: false, title: 'GenerateTemplateRequest' },
);

/** The response: a template that passed all checks and was printed once. */
export const GenerateTemplateResponse = Type.Object(
  {
    html: Type.String({ description: 'A complete HTML document with Handlebars variables.' }),
    variables: Type.Array(Type.String(), {
      description: 'Every name that the template reads, as written in its block, and every requested name.',
    }),
    type: literals(CATEGORIES, 'TemplateCategory', 'The requested type.'),
    style: literals(STYLES, 'TemplateStyle', 'The requested style.'),
  },
  { title: 'GeneratedTemplate' },
);
