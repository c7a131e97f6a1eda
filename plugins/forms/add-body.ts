import type { FieldDefinition } from '@platen/pdf';
import { Type, type Static } from '../../src/plugin.ts';
import { OutputChoice, PdfInput, resultFields } from '../files/exports.ts';

const MAX_FIELDS = 1_000;
const MAX_NAME_CHARACTERS = 500;
const MAX_OPTIONS = 2_000;
const MAX_TEXT_CHARACTERS = 10_000;
/** The maximum length of an option or a tooltip. */
const MAX_LABEL_CHARACTERS = 1_000;
/** The maximum side of a page (ISO 32000-1 annex C.2). */
const MAX_SIDE_PT = 14_400;
const MIN_SIDE_PT = 4;
const MAX_FONT_SIZE_PT = 300;

const points = (minimum: number, description: string) =>
  Type.Number({
    minimum,
    maximum: MAX_SIDE_PT,
    expected: `a number of points from ${minimum} to ${MAX_SIDE_PT}`,
    description,
  });

const Definition = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: MAX_NAME_CHARACTERS,
      expected: `the name of the field, a string of 1 to ${MAX_NAME_CHARACTERS} characters`,
      description:
        'The full name, which must be unique. Dots separate the levels of the field tree: `address.street`.',
    }),
    type: Type.Union(
      (['text', 'checkbox', 'dropdown', 'radio', 'signature'] as const).map((type) => Type.Literal(type)),
      {
        expected: 'one of text, checkbox, dropdown, radio, signature',
        description:
          'A definition of type radio is one button. The buttons of a field have the same name and different options. A signature is an empty field that can be signed.',
      },
    ),
    page: Type.Unknown({
      type: 'integer',
      minimum: 0,
      expected: 'the index of a page, from 0',
      description: 'The page index, from 0.',
    }),
    x: points(0, 'The left edge, in points from the left of the page as displayed.'),
    y: points(0, 'The lower edge, in points from the bottom of the page as displayed.'),
    width: Type.Optional(
      points(
        MIN_SIDE_PT,
        'The width in points. The default is 200 for text, dropdown and signature, and 14 for checkbox and radio.',
      ),
    ),
    height: Type.Optional(
      points(
        MIN_SIDE_PT,
        'The height in points. The default is 20 for text and dropdown, 60 for multiline text and signature, and 14 for checkbox and radio.',
      ),
    ),
    options: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_LABEL_CHARACTERS }), {
        maxItems: MAX_OPTIONS,
        expected: `a list of at most ${MAX_OPTIONS} strings`,
        description: 'The options of a dropdown. Required for dropdowns.',
      }),
    ),
    option: Type.Optional(
      Type.String({
        maxLength: MAX_LABEL_CHARACTERS,
        description: 'The option of a radio button. Required for radio buttons.',
      }),
    ),
    defaultValue: Type.Optional(
      Type.Union([Type.String({ maxLength: MAX_TEXT_CHARACTERS }), Type.Boolean()], {
        expected: 'a string or a boolean',
        description:
          'The initial value, and the value after a reset: a text, one of the options, or true for a checked checkbox. For a radio button: true, or the selected option.',
      }),
    ),
    multiline: Type.Optional(Type.Boolean({ description: 'Allow several lines of text.' })),
    required: Type.Optional(Type.Boolean({ description: 'The form must not be submitted without a value.' })),
    font_size: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: MAX_FONT_SIZE_PT,
        expected: `a number of points from 1 to ${MAX_FONT_SIZE_PT}`,
        description: 'The font size of text and dropdowns in points. By default it is chosen to fit.',
      }),
    ),
    tooltip: Type.Optional(
      Type.String({
        maxLength: MAX_LABEL_CHARACTERS,
        description: 'The description of the field that viewers and screen readers present.',
      }),
    ),
  },
  { additionalProperties: false, title: 'FieldDefinition' },
);

/**
 * The body of `POST /v1/pdf/forms/add-fields`. Rules that depend on the PDF or on the type of a field are
 * checked later.
 */
export const AddBody = Type.Object(
  {
    pdf: PdfInput,
    fields: Type.Array(Definition, {
      minItems: 1,
      maxItems: MAX_FIELDS,
      expected: `a list of 1 to ${MAX_FIELDS} field definitions`,
      description: 'The form fields to add.',
    }),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'AddFieldsRequest' },
);

/** Converts a definition from its wire form. */
export function readDefinition(sent: Static<typeof Definition>): FieldDefinition {
  const { font_size: fontSize, ...rest } = sent;
  return { ...rest, fontSize };
}
