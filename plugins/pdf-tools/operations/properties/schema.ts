import { Type, type TSchema } from '../../../../src/plugin.ts';
import { OutputChoice, optionalPdfProperties, PdfInput, resultFields } from '../../../files/exports.ts';
import { propertySchemas } from '../../../documents/exports.ts';

const settable = <T extends TSchema>(schema: T) =>
  Type.Optional(
    Type.Union([schema, Type.Null()], {
      expected: `${String(schema['expected'] ?? 'a list of strings')}, or null`,
    }),
  );

const MAX_CUSTOM = 100;
const MAX_CUSTOM_TEXT = 2_000;

const Time = Type.String({
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$`,
  expected: 'a time with a time zone, such as "2026-09-18T16:27:50-04:00"',
  description: 'A time of RFC 3339. The PDF keeps its time zone.',
});

/** The entries of the information dictionary other than those with a property of their own. */
const Custom = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,100}$' }),
  Type.Union([Type.String({ maxLength: MAX_CUSTOM_TEXT }), Type.Null()]),
  {
    additionalProperties: false,
    title: 'CustomProperties',
    maxProperties: MAX_CUSTOM,
    expected: `an object of at most ${MAX_CUSTOM} names and strings of at most ${MAX_CUSTOM_TEXT} characters, or null`,
    description:
      'Custom entries of the information dictionary, such as `{ "Department": "Sales" }`. `null` removes an entry.',
  },
);

export const PropertiesBody = Type.Object(
  {
    pdf: PdfInput,
    set: Type.Optional(
      Type.Object(
        {
          title: settable(propertySchemas.title),
          author: settable(propertySchemas.author),
          subject: settable(propertySchemas.subject),
          keywords: settable(propertySchemas.keywords),
          language: settable(propertySchemas.language),
          creator: settable(propertySchemas.title),
          producer: settable(propertySchemas.title),
          creation_date: settable(Time),
          modification_date: Type.Optional({
            ...Time,
            description: 'The default is the time of the request.',
          }),
          trapped: settable(
            Type.Union([Type.Literal('True'), Type.Literal('False'), Type.Literal('Unknown')], {
              expected: '"True", "False" or "Unknown"',
              description: 'Whether the document has trapping information for printing.',
            }),
          ),
          custom: Type.Optional(Custom),
        },
        {
          additionalProperties: false,
          title: 'PropertyChanges',
          minProperties: 1,
          expected: 'an object with at least one property',
          description:
            'The properties to write. `null` or an empty value removes a property, and absent properties are kept. Without `set`, the response contains the properties.',
        },
      ),
    ),
    output: OutputChoice,
    ...resultFields,
  },
  { additionalProperties: false, title: 'PropertiesRequest' },
);

const date = Type.Union([Type.String(), Type.Null()], {
  description: 'ISO 8601 in UTC; null if absent or malformed.',
});

/** The response of `POST /v1/pdf/properties`: the properties, or the changed PDF. */
export const PropertiesResponse = Type.Partial(
  Type.Object({
    properties: Type.Object({
      title: Type.String(),
      author: Type.String(),
      subject: Type.String(),
      keywords: Type.Array(Type.String()),
      language: Type.String(),
      creator: Type.String({ description: 'The program that made the original document.' }),
      producer: Type.String({ description: 'The program that made the PDF.' }),
      creation_date: date,
      modification_date: date,
      info: Type.Record(Type.String(), Type.String(), {
        description:
          'All entries of the information dictionary as stored, also custom ones. Dates have the syntax of PDF.',
      }),
    }),
    ...optionalPdfProperties,
  }),
  { title: 'PropertiesResult' },
);
