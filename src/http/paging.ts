import { Type, type TObject, type TInteger } from '@sinclair/typebox';

/** Creates the query schema of a list: `limit` from 1 to `maximum`, and `offset`. */
export function pageQuery(
  defaultLimit: number,
  maximum = 100,
): TObject<{ limit: TInteger; offset: TInteger }> {
  return Type.Object({
    limit: Type.Integer({
      minimum: 1,
      maximum,
      default: defaultLimit,
      description: `The number of entries to return, 1 to ${maximum}.`,
    }),
    offset: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: 'The number of entries to skip.',
    }),
  });
}

/** Creates the response of a list. Calls `find` with one more than the limit of the request, which shows whether more entries follow. */
export async function presentPage<Found, Presented>(
  limit: number,
  find: (limit: number) => Promise<readonly Found[]>,
  present: (found: Found) => Presented | Promise<Presented>,
): Promise<{ data: Presented[]; has_more: boolean }> {
  const found = await find(limit + 1);
  return { data: await Promise.all(found.slice(0, limit).map(present)), has_more: found.length > limit };
}
