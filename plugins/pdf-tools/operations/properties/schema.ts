import { Type, type TSchema } from '../../../../src/plugin.ts';
import { OutputChoice, optionalPdfProperties, PdfInput, resultFields } from '../../../files/exports.ts';
import { propertySchemas } from '../../../documents/exports.ts';

const settable = <T extends TSchema>(schema: T) =>
  Type.Optional(
    Type.Union([schema, Type.Null()], {
      expected: `${String(schema['expected'] ?? 'a list of strings')}, or null`,
    }),
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
    }),
    ...optionalPdfProperties,
  }),
  { title: 'PropertiesResult' },
);
