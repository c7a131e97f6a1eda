import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Scope } from '../accounts/scopes.ts';
import type { AuditedChange } from '../audit/pending-entries.ts';
import type { Listed, Page } from '../store/find-page.ts';
import { presentPage, type PageQuery } from './paging.ts';
import type { AuditChoice, Routes, RouteSpec } from './routes.ts';

/** The records of all accounts. `get` rejects with NOT_FOUND if the account has no such record. */
interface Records<Query, Entry, Found> {
  list(accountId: string, query: Query & Page): Promise<Listed<Entry>>;
  get(accountId: string, id: string): Promise<Found>;
}

/** How the routes of a kind of record find, describe and delete the records of an account. */
export interface RecordRoutes<Query extends PageQuery, Entry, Found> {
  /** The path of the list, such as `/v1/assets`. */
  path: string;
  scope: Scope;
  /** The part of the path that selects one record, such as `name`; `id` when absent. */
  parameter?: string;
  /** The noun in the names of the operations, and in the summaries that are absent. */
  noun: { one: string; many: string };
  records: Records<Static<Query>, Entry, Found>;
  list: {
    query: Query;
    schema: TSchema;
    /** The entries of the example. */
    examples: readonly unknown[];
    present: (entry: Entry) => unknown;
    summary?: string;
  };
  get: {
    schema: TSchema;
    example: unknown;
    present: (found: Found) => unknown;
    summary?: string;
  };
  /** Absent if records cannot be deleted. */
  remove?: Pick<RouteSpec<TObject, never>, 'description' | 'confirmation'> &
    AuditChoice & {
      /** Deletes a record; rejects with NOT_FOUND if the account has no such record. */
      run: (accountId: string, id: string, audit: AuditedChange) => Promise<void>;
      summary?: string;
    };
}

/** Adds the routes that list the records of an account, newest first, read one, and delete one. */
export function addRecordRoutes<Query extends PageQuery, Entry, Found>(
  routes: Routes,
  { path, scope, parameter = 'id', noun, records, list, get, remove }: RecordRoutes<Query, Entry, Found>,
): void {
  const one = `${path}/:${parameter}` as `${string}/:id`;
  // The router fills in the parameter that the path names.
  const idOf = (params: Readonly<Record<string, string>>) => params[parameter] ?? '';

  routes.get(
    path,
    {
      scope,
      summary: list.summary ?? `List ${noun.many}, newest first`,
      operationId: `list${inPascalCase(noun.many)}`,
      query: list.query,
      response: { schema: list.schema, example: { data: list.examples, has_more: false } },
    },
    async ({ account, query }) =>
      presentPage(query, (page) => records.list(account.id, { ...query, ...page }), list.present),
  );

  routes.get(
    one,
    {
      scope,
      summary: get.summary ?? `Read one ${noun.one}`,
      operationId: `get${inPascalCase(noun.one)}`,
      response: { schema: get.schema, example: get.example },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => get.present(await records.get(account.id, idOf(params))),
  );

  if (!remove) return;
  const { run, ...spec } = remove;
  routes.delete(
    one,
    {
      summary: `Delete one ${noun.one}`,
      ...spec,
      scope,
      operationId: `delete${inPascalCase(noun.one)}`,
      response: { status: 204 },
      errors: ['NOT_FOUND'],
    },
    async ({ account, audit, params }) => {
      await run(account.id, idOf(params), audit);
      return new Response(null, { status: 204 });
    },
  );
}

function inPascalCase(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
