import { pageQuery, Type } from '../../src/plugin.ts';
import { documentFields, GenerateOptions } from '../render/contract.ts';

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const Timestamp = Type.String({ description: 'ISO 8601, UTC, milliseconds.' });

/** The answer of `GET /v1/integrations/auth/test`. */
export const AuthAnswer = Type.Object({
  authenticated: Type.Boolean(),
  email: Type.String(),
  plan: Type.String(),
});

/** The query of a trigger. */
export const TriggerQuery = Type.Object({ limit: pageQuery(10).properties.limit });

/** The answer of `GET /v1/integrations/triggers/new-generation`. */
export const NewGenerations = Type.Array(
  Type.Object({
    id: Type.String({ description: 'The same at each poll: what was seen is known by it.' }),
    template_id: nullable(Type.String()),
    input_type: Type.String(),
    status: Type.String({ description: 'completed or failed.' }),
    url: nullable(Type.String({ description: 'A link that holds 30 days; another one at each poll.' })),
    pages: nullable(Type.Integer()),
    file_size: nullable(Type.Integer({ description: 'Bytes.' })),
    generation_time_ms: nullable(Type.Integer()),
    error: nullable(Type.String({ description: '`CODE: what happened`; null unless failed.' })),
    created_at: Timestamp,
  }),
);

/** The answer of `GET /v1/integrations/triggers/new-template`. */
export const NewTemplates = Type.Array(
  Type.Object({
    id: Type.String({ description: 'The same at each poll: what was seen is known by it.' }),
    name: Type.String(),
    version: Type.Integer(),
    is_public: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);

/** The body of `POST /v1/integrations/actions/generate`: flat, as forms of automation platforms are. */
export const ActionBody = Type.Object(
  {
    html: documentFields.html,
    template_id: documentFields.template,
    data: documentFields.data,
    format: Type.Optional(
      Type.Union([Type.Literal('A4'), Type.Literal('Letter'), Type.Literal('Legal')], {
        description: 'Paper; A4 when absent.',
      }),
    ),
    orientation: GenerateOptions.properties.orientation,
    options: Type.Optional(
      Type.Never({
        expected:
          'left out: the body is flat; format and orientation stand beside html or template_id, and there are no other options',
        description: 'Refused: the body is flat.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The answer of `POST /v1/integrations/actions/generate`. */
export const ActionAnswer = Type.Object({
  id: Type.String(),
  url: nullable(Type.String()),
  pages: nullable(Type.Integer()),
  file_size: nullable(Type.Integer({ description: 'Bytes.' })),
});
