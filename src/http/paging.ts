import { Type, type TObject, type TInteger } from '@sinclair/typebox';

/** The query of a list: `limit` 1 to `maximum` and `offset` from 0. Anything else is 400. */
export function pageQuery(
  defaultLimit: number,
  maximum = 100,
): TObject<{ limit: TInteger; offset: TInteger }> {
  return Type.Object({
    limit: Type.Integer({
      minimum: 1,
      maximum,
      default: defaultLimit,
      description: `How many to return, 1 to ${maximum}.`,
    }),
    offset: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: 'How many to skip.',
    }),
  });
}
