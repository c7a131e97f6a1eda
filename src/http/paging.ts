import {
  Type,
  type Static,
  type TBoolean,
  type TInteger,
  type TLiteral,
  type TObject,
  type TOptional,
  type TSchema,
  type TArray,
  type TString,
} from '@sinclair/typebox';
import { invalid } from '../errors.ts';
import { fieldGroup } from './field-group.ts';
import { UnknownPositionError, type Listed, type Page } from '../store/find-page.ts';

/** The query of a list. */
export type PageQuery = TObject<{
  limit: TInteger;
  offset: TInteger;
  starting_after: TOptional<TString>;
  ending_before: TOptional<TString>;
  include: TOptional<TLiteral<'total'>>;
}>;

const FIELDS = { startingAfter: 'starting_after', endingBefore: 'ending_before' } as const;

/** Creates the query schema of a list, with `limit` from 1 to `maximum`. */
export function pageQuery(defaultLimit: number, maximum = 100): PageQuery {
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
      description:
        'The number of entries to skip. Entries that are added meanwhile move the others; `starting_after` avoids this.',
    }),
    starting_after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'The id of the last entry of the previous page. The page begins after it.',
      }),
    ),
    ending_before: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'The id of the first entry of the next page. The page ends before it.',
      }),
    ),
    include: Type.Optional(
      Type.Literal('total', {
        title: 'ListInclude',
        description: '`total` adds the number of all entries of the list.',
      }),
    ),
  });
}

const pageProperties = fieldGroup('ListProperties', {
  has_more: Type.Boolean({
    description: 'Whether more entries follow; with `ending_before`, whether more precede.',
  }),
  total: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The number of all entries; with `include=total`.' }),
  ),
});

/** Creates the response schema of a list. */
export function pageOf<T extends TSchema>(
  entry: T,
  title: string,
): TObject<{ data: TArray<T>; has_more: TBoolean; total: TOptional<TInteger> }> {
  return Type.Object(
    {
      data: Type.Array(entry),
      ...pageProperties,
    },
    { title },
  );
}

/**
 * Creates the response of a list. Calls `find` with the page that the query asks for.
 * @throws {AppError} VALIDATION_ERROR if the query names several positions, or an entry that does not exist
 */
export async function presentPage<Found, Presented>(
  query: Static<PageQuery>,
  find: (page: Page) => Promise<Listed<Found>>,
  present: (found: Found) => Presented | Promise<Presented>,
): Promise<{ data: Presented[]; has_more: boolean; total?: number }> {
  const { records, hasMore, total } = await find(readPage(query)).catch((error: unknown) => {
    if (!(error instanceof UnknownPositionError)) throw error;
    throw invalid(FIELDS[error.field], 'is not the id of an entry of this list');
  });
  const data = await Promise.all(records.map(present));
  return { data, has_more: hasMore, ...(total !== undefined && { total }) };
}

function readPage({ limit, offset, include, ...query }: Static<PageQuery>): Page {
  const { starting_after: startingAfter, ending_before: endingBefore } = query;
  const given = Object.values(FIELDS).filter((field) => query[field] !== undefined);
  const [position] = given;
  if (given.length > 1) throw invalid('ending_before', 'cannot be combined with starting_after');
  if (position && offset > 0) throw invalid('offset', `cannot be combined with ${position}`);
  return { limit, offset, startingAfter, endingBefore, includeTotal: include === 'total' };
}
