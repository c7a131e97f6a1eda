import { Type } from '@sinclair/typebox';
import { SCOPES } from '../accounts/scopes.ts';
import { nullable } from './nullable.ts';

const MAX_NETWORKS = 50;

/**
 * Control characters, direction marks and lone surrogates: invisible characters that make one name look like
 * another.
 */
const UNSAFE = '\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff';
const PAIR = '[\\ud800-\\udbff][\\udc00-\\udfff]';

/** The fields of a request for a new API key. `readKeyLimits` reads the limits. */
export const KeyFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: `^ *(?:[^\\s${UNSAFE}]|${PAIR})(?:[^${UNSAFE}]|${PAIR})*$`,
    description: 'A name for people: 1 to 100 characters.',
    expected: 'a name of 1 to 100 characters, without control characters',
  }),
  scopes: Type.Optional(
    nullable(
      Type.Array(
        Type.Union(
          SCOPES.map((scope) => Type.Literal(scope)),
          { title: 'Scope' },
        ),
        {
          minItems: 1,
          maxItems: 100,
          description: 'What the key may do. By default everything except `keys` and `audit`.',
        },
      ),
    ),
  ),
  expires_at: Type.Optional(
    nullable(
      Type.String({
        maxLength: 40,
        description: 'When the key stops working: ISO 8601 with a time zone. By default never.',
      }),
    ),
  ),
  allowed_ips: Type.Optional(
    nullable(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: MAX_NETWORKS,
        description:
          'The addresses that may use the key: IPv4 and IPv6 addresses and networks, such as `10.0.0.0/8`. By default all.',
      }),
    ),
  ),
  test: Type.Optional(
    Type.Boolean({
      description:
        'true: a test key, `plt_test_…`. Its documents are marked TEST, cost no quota, and are deleted within a day. By default false; with a test key, true.',
    }),
  ),
};
