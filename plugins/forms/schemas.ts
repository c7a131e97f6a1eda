import { fieldGroup, Type } from '../../src/plugin.ts';
import { OutputChoice, PdfInput, resultFields } from '../files/exports.ts';

/** The body of `POST /v1/pdf/forms/list-fields`. */
export const ListBody = Type.Object(
  { pdf: PdfInput },
  { additionalProperties: false, title: 'ListFieldsRequest' },
);

const place = fieldGroup('FieldPlace', {
  page: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The page index, from 0; null if no page shows the field.',
  }),
  rect: Type.Union(
    [
      Type.Object(
        { x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() },
        { title: 'FieldArea' },
      ),
      Type.Null(),
    ],
    {
      description:
        'Points from the lower left corner of the page as displayed; null if the field has no area.',
    },
  ),
});

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

export const FieldResponse = Type.Object(
  {
    name: Type.String({ description: 'The full name: partial names joined by dots.' }),
    type: Type.Union(kinds.map((kind) => Type.Literal(kind))),
    value: Type.Union([Type.String(), Type.Boolean(), Type.Array(Type.String()), Type.Null()], {
      description:
        'A text ("" if empty), true or false for a checkbox, the selected option or null, or a list for a multi-select option_list. Null for fields without a value.',
    }),
    ...place,
    read_only: Type.Boolean(),
    required: Type.Boolean(),
    options: Type.Optional(Type.Array(Type.String(), { description: 'The options of the field.' })),
    labels: Type.Optional(
      Type.Array(Type.String(), { description: 'The displayed labels, if they differ from the options.' }),
    ),
    multiline: Type.Optional(Type.Boolean()),
    max_length: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], {
        description: 'The maximum length of text; null if unlimited.',
      }),
    ),
    widgets: Type.Optional(
      Type.Array(Type.Object(place), { description: 'All widgets, if the field has several.' }),
    ),
  },
  { title: 'FormField' },
);

/** The response of `POST /v1/pdf/forms/list-fields`. */
export const ListResponse = Type.Object(
  {
    fields: Type.Array(FieldResponse),
    total: Type.Integer(),
    xfa: Type.Boolean({ description: 'Whether the PDF also has an XFA form, which is not read.' }),
  },
  { title: 'FormFieldList' },
);

const MAX_FIELDS = 10_000;
const MAX_OPTIONS = 10_000;
const expectedValue = 'a string, true or false for a checkbox, or a list of strings for an option list';

/** The body of `POST /v1/pdf/forms/fill`. Values are validated when the form is open. */
export const FillBody = Type.Object(
  {
    pdf: PdfInput,
    fields: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'The full name, as returned by `list-fields`.' }),
          value: Type.Union(
            [
              Type.String({ description: 'A text, or the value or label of an option.' }),
              Type.Boolean(),
              Type.Array(Type.String(), { maxItems: MAX_OPTIONS }),
            ],
            { expected: expectedValue, description: `For a text field ${expectedValue}.` },
          ),
        },
        { additionalProperties: false, title: 'FieldValue', expected: 'an object with name and value' },
      ),
      {
        minItems: 1,
        maxItems: MAX_FIELDS,
        expected: `a list of 1 to ${MAX_FIELDS} fields, each {"name", "value"}`,
        description: 'The fields to fill. Other fields keep their values.',
      },
    ),
    flatten: Type.Optional(
      Type.Boolean({
        description: 'Flatten all fields of the form into page content. The default is false.',
      }),
    ),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'FillRequest' },
);
