import { OutputChoice, PdfInput, Type } from '../../src/plugin.ts';

/** The body of `POST /v1/pdf/forms/list-fields`. */
export const ListBody = Type.Object({ pdf: PdfInput }, { additionalProperties: false });

const place = {
  page: Type.Union([Type.Integer(), Type.Null()], {
    description: 'From 0; null for a field that is seen on no page.',
  }),
  rect: Type.Union(
    [
      Type.Object({ x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() }),
      Type.Null(),
    ],
    { description: 'Points from the lower left corner of the page as it is shown; null without an area.' },
  ),
};

const kinds = [
  'text',
  'checkbox',
  'dropdown',
  'radio',
  'option_list',
  'button',
  'signature',
  'unknown',
] as const;

/** A field as an answer has it. */
export const FieldAnswer = Type.Object({
  name: Type.String({ description: 'The full name: partial names joined by dots.' }),
  type: Type.Union(kinds.map((kind) => Type.Literal(kind))),
  value: Type.Union([Type.String(), Type.Boolean(), Type.Array(Type.String()), Type.Null()], {
    description:
      'Text ("" when there is none), true or false for a checkbox, the chosen option (null when none is), a list for an option_list that takes several; null for what has no value.',
  }),
  ...place,
  read_only: Type.Boolean(),
  required: Type.Boolean(),
  options: Type.Optional(Type.Array(Type.String(), { description: 'What can be chosen.' })),
  labels: Type.Optional(
    Type.Array(Type.String(), { description: 'How the options are shown, where that is something else.' }),
  ),
  multiline: Type.Optional(Type.Boolean()),
  max_length: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], { description: 'Of text; null when it is not bounded.' }),
  ),
  widgets: Type.Optional(
    Type.Array(Type.Object(place), { description: 'All places of a field that is seen at several.' }),
  ),
});

/** The answer of `POST /v1/pdf/forms/list-fields`. */
export const ListAnswer = Type.Object({
  fields: Type.Array(FieldAnswer),
  total: Type.Integer(),
  xfa: Type.Boolean({ description: 'There is an XFA form besides, which is not read.' }),
});

const MAX_FIELDS = 10_000;
const MAX_OPTIONS = 10_000;
const expectedValue = 'a string, true or false for a checkbox, or a list of strings for an option list';

/** The body of `POST /v1/pdf/forms/fill`. What a field takes, is checked where the form is open. */
export const FillBody = Type.Object(
  {
    pdf: PdfInput,
    fields: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'The full name, as `list-fields` has it.' }),
          value: Type.Union(
            [
              Type.String({ description: 'Text, or an option by its value or label.' }),
              Type.Boolean(),
              Type.Array(Type.String(), { maxItems: MAX_OPTIONS }),
            ],
            { expected: expectedValue, description: `For a text field ${expectedValue}.` },
          ),
        },
        { additionalProperties: false, expected: 'an object with name and value' },
      ),
      {
        minItems: 1,
        maxItems: MAX_FIELDS,
        expected: `a list of 1 to ${MAX_FIELDS} fields, each {"name", "value"}`,
      },
    ),
    flatten: Type.Optional(
      Type.Boolean({
        description: 'Makes all fields of the form content of the pages; false when absent.',
      }),
    ),
    output: OutputChoice,
  },
  { additionalProperties: false },
);
