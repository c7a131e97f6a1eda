import type { FieldDefinition } from '@platen/pdf';
import { OutputChoice, PdfInput, Type, type Static } from '../../src/plugin.ts';

const MAX_FIELDS = 1_000;
const MAX_NAME = 500;
const MAX_OPTIONS = 2_000;
const MAX_TEXT = 10_000;
const MAX_OPTION = 1_000;
/** The longest side of a page (ISO 32000-1 annex C.2). */
const MAX_POINTS = 14_400;
const MIN_SIDE = 4;
const MAX_FONT_SIZE = 300;

const points = (minimum: number, description: string) =>
  Type.Number({
    minimum,
    maximum: MAX_POINTS,
    expected: `a number of points from ${minimum} to ${MAX_POINTS}`,
    description,
  });

const Definition = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: MAX_NAME,
      expected: `the name of the field, a string of 1 to ${MAX_NAME} characters`,
      description: 'The full name, which no other field has. Dots make a tree: `address.street`.',
    }),
    type: Type.Union(
      (['text', 'checkbox', 'dropdown', 'radio', 'signature'] as const).map((type) => Type.Literal(type)),
      {
        expected: 'one of text, checkbox, dropdown, radio, signature',
        description:
          'A definition of type radio is one button: those of a field have its name, and an `option` each. A signature is an empty field that can be signed.',
      },
    ),
    page: Type.Unknown({
      type: 'integer',
      minimum: 0,
      expected: 'the number of a page, from 0',
      description: 'From 0.',
    }),
    x: points(0, 'The left edge, in points from the left of the page as it is shown.'),
    y: points(0, 'The lower edge, in points from the bottom of the page as it is shown.'),
    width: Type.Optional(
      points(
        MIN_SIDE,
        'Points; when absent 200 for text, dropdown and signature, 14 for checkbox and radio.',
      ),
    ),
    height: Type.Optional(
      points(
        MIN_SIDE,
        'Points; when absent 20 for text and dropdown, 60 for text of several lines and signature, 14 for checkbox and radio.',
      ),
    ),
    options: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_OPTION }), {
        maxItems: MAX_OPTIONS,
        expected: `a list of at most ${MAX_OPTIONS} strings`,
        description: 'What a dropdown offers; required for one.',
      }),
    ),
    option: Type.Optional(
      Type.String({
        maxLength: MAX_OPTION,
        description: 'What a radio button stands for; required for one.',
      }),
    ),
    defaultValue: Type.Optional(
      Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Boolean()], {
        expected: 'a string or a boolean',
        description:
          'The value until another is given, and after the form is reset: text, one of the options, whether a checkbox is ticked; for a radio button true, or the option that is chosen.',
      }),
    ),
    multiline: Type.Optional(Type.Boolean({ description: 'Text of several lines.' })),
    required: Type.Optional(Type.Boolean({ description: 'The form is not to be sent without a value.' })),
    font_size: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: MAX_FONT_SIZE,
        expected: `a number of points from 1 to ${MAX_FONT_SIZE}`,
        description: 'Of text and dropdowns, in points; chosen to fit when absent.',
      }),
    ),
    tooltip: Type.Optional(
      Type.String({
        maxLength: MAX_OPTION,
        description: 'What readers say of the field, also to those who hear it.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The body of `POST /v1/pdf/forms/add-fields`. What hangs on the PDF, and on the type of a field, is checked later. */
export const AddBody = Type.Object(
  {
    pdf: PdfInput,
    fields: Type.Array(Definition, {
      minItems: 1,
      maxItems: MAX_FIELDS,
      expected: `a list of 1 to ${MAX_FIELDS} field definitions`,
    }),
    output: OutputChoice,
  },
  { additionalProperties: false },
);

/** Reads a definition as it stands in a body. */
export function readDefinition(sent: Static<typeof Definition>): FieldDefinition {
  const { font_size: fontSize, ...rest } = sent;
  return { ...rest, fontSize };
}
