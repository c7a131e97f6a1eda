import { DocumentError, UsageError } from '../failures.ts';
import type { JsonObject } from '../json-text.ts';
import type { Client } from '../service/client.ts';
import type { Format, TemplateCase, TemplateState } from './state.ts';

/** A template of a server, or the draft of one. */
export interface RemoteTemplate {
  id: string;
  version: number;
  draftVersion: number | null;
  /** Names the state that was read, so that a change of another one is refused. */
  etag: string;
  state: TemplateState;
}

interface Listed {
  id: string;
  name: string;
  alias: string | null;
}

interface TemplateBody extends Listed {
  category: string;
  format: Format;
  partial: boolean;
  tags: string[];
  require_checks?: boolean;
  schema: JsonObject;
  options: JsonObject | null;
  sample_data: JsonObject;
  html_content: string | null;
  file_url?: string | null;
  etag: string;
  version: number;
  draft_version: number | null;
}

interface CaseBody {
  name: string;
  data: JsonObject;
  options: JsonObject | null;
  accepted: { url: string | null } | null;
}

const PAGE_SIZE = 100;

/** Lists the templates of the account, the oldest first, so that names of folders stay the same. */
export async function listRemote(client: Client): Promise<Listed[]> {
  return (await listAll<Listed>(client, '/v1/templates', ({ id }) => id)).toReversed();
}

/** Reads a template by its id or alias, or its draft. @throws {CommandError} */
export async function readRemote(
  client: Client,
  idOrAlias: string,
  version?: 'draft',
): Promise<RemoteTemplate> {
  const path = templatePath(idOrAlias);
  const body = await client.json<TemplateBody>(path, { query: { version } });
  const { id, etag, category, partial, tags, schema, options, name, alias } = body;
  const content: TemplateState['content'] =
    body.format === 'html'
      ? { format: 'html', text: body.html_content ?? '' }
      : { format: body.format, bytes: await client.bytes(body.file_url ?? '') };
  const cases = await readCases(client, path);
  const state = {
    name,
    alias,
    category,
    partial,
    tags,
    options,
    schema,
    requireChecks: body.require_checks ?? false,
    content,
    sampleData: body.sample_data,
    cases,
  };
  requireDistinct(name, cases);
  return { id, version: body.version, draftVersion: body.draft_version, etag, state };
}

/** Returns the path of a template in the API. */
export function templatePath(idOrAlias: string): string {
  return `/v1/templates/${encodeURIComponent(idOrAlias)}`;
}

async function readCases(client: Client, path: string): Promise<Map<string, TemplateCase>> {
  const bodies = await listAll<CaseBody>(client, `${path}/cases`, ({ name }) => name).catch(whenAbsent);
  const cases = new Map<string, TemplateCase>();
  for (const { name, data, options, accepted } of bodies) {
    if (accepted && accepted.url === null)
      throw new UsageError('a test key reads no accepted pages of cases; use a live key');
    cases.set(name, { data, options, accepted: accepted?.url ? await client.bytes(accepted.url) : null });
  }
  return cases;
}

/** Requires that a file system which ignores case can keep the files of all cases. @throws {UsageError} */
function requireDistinct(template: string, cases: ReadonlyMap<string, unknown>): void {
  const taken = new Map<string, string>();
  for (const name of cases.keys()) {
    const other = taken.get(name.toLowerCase());
    if (other !== undefined)
      throw new UsageError(
        `the cases "${other}" and "${name}" of ${template} differ only in case; rename one of them`,
      );
    taken.set(name.toLowerCase(), name);
  }
}

/** Returns no cases for a service that does not test templates. */
function whenAbsent(error: unknown): CaseBody[] {
  if (error instanceof DocumentError && error.httpStatus === 404) return [];
  throw error;
}

/** Reads a whole list of the API, newest first. `idOf` returns the position of an entry. */
export async function listAll<T>(client: Client, path: string, idOf: (entry: T) => string): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const last = all.at(-1);
    const query = { limit: String(PAGE_SIZE), starting_after: last && idOf(last) };
    const { data, has_more: hasMore } = await client.json<{ data: T[]; has_more: boolean }>(path, { query });
    all.push(...data);
    if (!hasMore || data.length === 0) return all;
  }
}
