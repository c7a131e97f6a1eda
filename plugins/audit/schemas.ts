import { nullable, pageOf, pageQuery, Type, type Static } from '../../src/plugin.ts';

const ActorType = Type.Union(
  [Type.Literal('key'), Type.Literal('member'), Type.Literal('operator'), Type.Literal('command')],
  {
    title: 'AuditActorType',
    description:
      'An API key, a person in the studio, an operator of the service, or a command on its machine.',
  },
);

const filters = {
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Only entries of this actor: the id of an API key or account, or one of `key`, `member`, `operator` and `command`.',
    }),
  ),
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z][a-z_]*\\.(?:\\*|[a-z][a-z_]*)$',
      expected: 'an action, such as key.created, or key.* for all actions on keys',
      description: 'Only entries with this action, such as `key.created`, or `key.*` for all on keys.',
    }),
  ),
  since: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Only entries of this time or later: a date, which means its midnight in UTC, or a time with its offset (RFC 3339).',
    }),
  ),
  until: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Only entries before this time, in the format of `since`.',
    }),
  ),
};

/** The query of `GET /v1/audit`. */
export const AuditQuery = Type.Object({ ...pageQuery(50).properties, ...filters });

/** The query of `GET /v1/audit/export`. */
export const ExportQuery = Type.Object({
  ...filters,
  format: Type.Union([Type.Literal('csv'), Type.Literal('ndjson')], {
    default: 'csv',
    expected: 'csv or ndjson',
    description: '`csv` for spreadsheets, or `ndjson` with one entry of the list on each line.',
  }),
});

/** The filters that both queries have. */
export type FilterQuery = Pick<Static<typeof AuditQuery>, keyof typeof filters>;

const AuditEntryResponse = Type.Object(
  {
    id: Type.String(),
    at: Type.String({
      description:
        'When the change was completed; when it began if the outcome is unknown. ISO 8601, UTC, milliseconds.',
    }),
    actor: Type.Object(
      {
        type: ActorType,
        id: nullable(
          Type.String({ description: 'The id of the API key or of the account; null for a command.' }),
        ),
        name: Type.String({
          description:
            'The name of the key at the time of the change, the email address of the person, `operator`, or the command.',
        }),
      },
      { title: 'AuditActor' },
    ),
    action: Type.String({ description: 'Such as `template.updated`.' }),
    target: nullable(
      Type.String({ description: 'The id of what was changed, or its name if it has no id.' }),
    ),
    ip: nullable(
      Type.String({ description: 'The address of the caller; null for a command or an operator.' }),
    ),
    request_id: nullable(
      Type.String({ description: 'The `X-Request-Id` of the response; null for a command.' }),
    ),
    outcome: Type.Union([Type.Literal('completed'), Type.Literal('unknown')], {
      title: 'AuditOutcome',
      description:
        '`unknown` if the service failed or stopped during the change, so that it may have been made or not.',
    }),
  },
  { title: 'AuditEntry' },
);

/** A page of entries, newest first. */
export const AuditList = pageOf(AuditEntryResponse, 'AuditList');

/** An example of an entry. */
export const entryExample = {
  id: 'aud_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  at: '2026-11-21T09:30:00.000Z',
  actor: { type: 'key', id: 'key_9aB8cD7eF6gH5iJ4kL3mN2oP', name: 'Web shop' },
  action: 'template.updated',
  target: 'tmpl_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  ip: '203.0.113.7',
  request_id: 'req_1aZ2bY3cX4dW5eV6fU7gT8hS',
  outcome: 'completed',
};
