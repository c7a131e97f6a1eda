import {
  fieldGroup,
  KeyFields,
  pageOf,
  pageQuery,
  SCOPES,
  Timestamp,
  Type,
  type Static,
} from '../../src/plugin.ts';

const timestampOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** The body of `POST /v1/keys`. */
export const NewKeyBody = Type.Object(KeyFields, {
  title: 'CreateKeyRequest',
  additionalProperties: false,
});

/** The query of `GET /v1/keys`. */
export const KeysQuery = Type.Object({
  ...pageQuery(50).properties,
  status: Type.Optional(
    Type.Union([Type.Literal('active'), Type.Literal('revoked')], {
      description: 'Only keys that are not revoked, or only revoked keys.',
    }),
  ),
});

const keyProperties = fieldGroup('ApiKey', {
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the key.' }),
  scopes: Type.Array(
    Type.Union(
      SCOPES.map((scope) => Type.Literal(scope)),
      { title: 'Scope' },
    ),
  ),
  expires_at: timestampOrNull('When the key stops working; null for never.'),
  allowed_ips: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The networks that may use the key; null for all.',
  }),
  test: Type.Boolean({ description: 'Whether documents that are made with the key are test documents.' }),
  created_at: Timestamp,
  created_by: Type.Union([Type.String(), Type.Null()], {
    description: 'The id of the key that created this one. This key works as long as that one does.',
  }),
  last_used_at: timestampOrNull('At most a minute before the last use; null for an unused key.'),
  revoked_at: timestampOrNull('When the key was revoked; null for a key that was not.'),
});

/** An API key without the key itself. */
export const KeyResponse = Type.Object(keyProperties, { title: 'ApiKey' });

/** The response of `GET /v1/keys`. */
export const KeyList = pageOf(KeyResponse, 'ApiKeyList');

/** The response of `POST /v1/keys`. */
export const NewKeyResponse = Type.Object(
  { ...keyProperties, key: Type.String({ description: 'The key. No other response has it.' }) },
  { title: 'NewApiKey' },
);

export const keyExample: Static<typeof KeyResponse> = {
  id: 'key_0a1b2c3d4e5f6g7h8i9j0k1l',
  name: 'Web shop',
  hint: '4fQz',
  scopes: ['generate', 'files'],
  expires_at: '2027-01-31T00:00:00.000Z',
  allowed_ips: ['203.0.113.0/24'],
  test: false,
  created_at: '2026-11-21T09:30:00.000Z',
  created_by: 'key_9z8y7x6w5v4u3t2s1r0q9p8o',
  last_used_at: null,
  revoked_at: null,
};

export const newKeyExample = {
  name: 'Web shop',
  scopes: ['generate', 'files'],
  expires_at: '2027-01-31T00:00:00Z',
  allowed_ips: ['203.0.113.0/24'],
};
