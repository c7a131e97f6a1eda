import { DocumentError, ServiceError, UsageError } from '../failures.ts';
import type { JsonObject } from '../json-text.ts';
import type { Client } from '../service/client.ts';
import { FORMATS, isCaseName, type Format, type TemplateCase, type TemplateState } from './state.ts';

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

/** A template in a response. */
export interface TemplateBody extends Listed {
  category: string;
  format: Format;
  partial: boolean;
  tags: string[];
  require_checks?: boolean;
  translations?: JsonObject;
  default_locale?: string;
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
  requireTemplate(client, body);
  const { id, name, etag, version: number, draft_version: draftVersion } = body;
  const content: TemplateState['content'] =
    body.format === 'html'
      ? { format: 'html', text: body.html_content ?? '' }
      : { format: body.format, bytes: await client.bytes(requireLink(body)) };
  const cases = await readCases(client, path);
  requireDistinct(name, cases);
  return { id, version: number, draftVersion, etag, state: stateOf(body, { content, cases }) };
}

/** Returns the state of a template that a response has, with what a response does not have. */
export function stateOf(
  { name, alias, category, partial, tags, options, schema, ...body }: TemplateBody,
  others: Pick<TemplateState, 'content' | 'cases'>,
): TemplateState {
  const requireChecks = body.require_checks ?? false;
  return {
    name,
    alias,
    category,
    partial,
    tags,
    options,
    schema,
    requireChecks,
    sampleData: body.sample_data,
    translations: body.translations,
    defaultLocale: body.default_locale,
    ...others,
  };
}

/** Returns the path of a template in the API. */
export function templatePath(idOrAlias: string): string {
  return `/v1/templates/${encodeURIComponent(idOrAlias)}`;
}

async function readCases(client: Client, path: string): Promise<Map<string, TemplateCase>> {
  const bodies = await listAll<CaseBody>(client, `${path}/cases`, ({ name }) => name).catch(whenAbsent);
  const cases = new Map<string, TemplateCase>();
  for (const { name, data, options, accepted } of bodies) {
    if (!isCaseName(name)) throw unexpected(client, 'a case with a name that no case has');
    if (accepted && accepted.url === null)
      throw new UsageError('a test key reads no accepted pages of cases; use a live key');
    cases.set(name, { data, options, accepted: accepted?.url ? await client.bytes(accepted.url) : null });
  }
  return cases;
}

/**
 * Requires the fields that decide which files a folder gets, because the answer may come from another server
 * than the person means.
 * @throws {ServiceError}
 */
function requireTemplate(client: Client, { id, name, format, version, draft_version: draft }: TemplateBody) {
  if (typeof id !== 'string' || typeof name !== 'string')
    throw unexpected(client, 'a template without an id or a name');
  if (!FORMATS.includes(format)) throw unexpected(client, 'a template in an unknown format');
  if (!Number.isSafeInteger(version) || (draft !== null && !Number.isSafeInteger(draft)))
    throw unexpected(client, 'a template without the number of its version');
}

/** Returns the link to the file of an office template. @throws {UsageError} */
function requireLink({ name, file_url: link }: TemplateBody): string {
  if (typeof link === 'string') return link;
  throw new UsageError(`this key does not read the file of ${name}; use a live key with the scope templates`);
}

function unexpected({ url }: Client, found: string): ServiceError {
  return new ServiceError(`${url} sent ${found}; check the address, and the version of the service`);
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
