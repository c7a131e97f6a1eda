import { nullable, pageQuery, Timestamp, Type } from '../../src/plugin.ts';
import { documentFields, FormatName, GenerateOptions } from '../documents/exports.ts';
import { resultResponseProperties } from '../files/exports.ts';

/** The response of `GET /v1/integrations/auth/test`. */
export const AuthResponse = Type.Object(
  {
    authenticated: Type.Boolean(),
    email: Type.String(),
    plan: Type.String(),
  },
  { title: 'ApiKeyTest' },
);

export const TriggerQuery = Type.Object({ limit: pageQuery(10).properties.limit });

const { file_name, reference, metadata, expires_at } = resultResponseProperties;

/** The response of `GET /v1/integrations/triggers/new-generation`. */
export const NewGenerations = Type.Array(
  Type.Object(
    {
      id: Type.String({ description: 'Stable between polls; use it to detect duplicates.' }),
      template_id: nullable(Type.String()),
      input_type: Type.String(),
      content_type: Type.String({ description: 'The media type of the result.' }),
      status: Type.String({ description: 'completed or failed.' }),
      url: nullable(
        Type.String({ description: 'A link that is valid for 30 days and differs with each poll.' }),
      ),
      pages: nullable(Type.Integer()),
      file_size: nullable(Type.Integer({ description: 'Bytes.' })),
      generation_time_ms: nullable(Type.Integer()),
      error: nullable(Type.String({ description: '`CODE: message`; null unless the generation failed.' })),
      created_at: Timestamp,
      file_name,
      reference,
      metadata,
      expires_at,
      batch_id: Type.Optional(Type.String({ description: 'Only for an item of a batch.' })),
      index: Type.Optional(Type.Integer({ description: 'The index of the item in its batch, from 0.' })),
    },
    { title: 'PolledGeneration' },
  ),
);

/** The response of `GET /v1/integrations/triggers/new-template`. */
export const NewTemplates = Type.Array(
  Type.Object(
    {
      id: Type.String({ description: 'Stable between polls; use it to detect duplicates.' }),
      name: Type.String(),
      version: Type.Integer(),
      is_public: Type.Boolean(),
      created_at: Timestamp,
      updated_at: Timestamp,
    },
    { title: 'PolledTemplate' },
  ),
);

/**
 * The body of `POST /v1/integrations/actions/generate`. It is flat, like the forms of automation platforms.
 */
export const ActionBody = Type.Object(
  {
    html: documentFields.html,
    template_id: documentFields.template,
    data: documentFields.data,
    format: Type.Optional({
      ...FormatName,
      description: 'The paper format, in upper or lower case; A4 when absent.',
    }),
    orientation: GenerateOptions.properties.orientation,
    options: Type.Optional(
      Type.Never({
        expected:
          'absent: the body is flat; set format and orientation at the top level, other options are not supported',
        description: 'Not allowed: the body is flat.',
      }),
    ),
  },
  { additionalProperties: false, title: 'FormGenerateRequest' },
);

/** The response of `POST /v1/integrations/actions/generate`. */
export const ActionResponse = Type.Object(
  {
    id: Type.String(),
    url: nullable(Type.String()),
    pages: nullable(Type.Integer()),
    file_size: nullable(Type.Integer({ description: 'Bytes.' })),
  },
  { title: 'FormGenerateResponse' },
);
