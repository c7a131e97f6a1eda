import { createInterface } from 'node:readline/promises';
import { CommandError, DocumentError, EXIT_STATUS, UsageError } from '../failures.ts';
import { printable } from '../names.ts';
import { startProgress } from '../progress.ts';
import type { Client } from '../service/client.ts';
import { requireTemplates, type LocalTemplate, type ServerRecord } from './folder.ts';
import { draftFilesOf, planPush, type PlannedChange } from './plan-push.ts';
import { readRemote, stateOf, templatePath, type RemoteTemplate, type TemplateBody } from './remote.ts';
import { reportOutcomes, type Outcome } from './report.ts';
import { saveCases } from './save-cases.ts';
import { digestOf, filesOf, type TemplateState } from './state.ts';
import { writeRecords } from './write-folder.ts';

/** The version that a push has stored. */
interface Pushed {
  version: number;
  isDraft: boolean;
}

/** How templates are pushed. */
export interface PushOptions {
  folder: string;
  /** Whether to push without a question. */
  yes: boolean;
  isDraft: boolean;
  json: boolean;
}

/**
 * Stores the templates of a folder on a server, after a question. A template that has changed on the server
 * since it was pulled is left alone. Returns the exit status.
 */
export async function push(client: Client, { folder, yes, isDraft, json }: PushOptions): Promise<number> {
  const templates = requireTemplates(folder);
  const outcomes: Outcome[] = [];
  const changes: PlannedChange[] = [];
  {
    using progress = startProgress();
    for (const [index, local] of templates.entries()) {
      progress.show(`${index + 1} of ${templates.length} templates compared`);
      const planned = await planPush(client, local, { isDraft });
      if ('change' in planned) changes.push(planned.change);
      else outcomes.push(planned.outcome);
      if ('sameAs' in planned && planned.sameAs) remember(client, local, planned.sameAs);
    }
  }
  if (changes.length > 0) {
    if (!json) for (const change of changes) showChange(change);
    if (!yes) await confirm(client, changes.length);
    const status = await pushAll(client, changes, outcomes);
    return Math.max(status, reportOutcomes(outcomes, { json }));
  }
  return reportOutcomes(outcomes, { json });
}

/** Pushes all changes, and goes on after a template that the server refuses. Returns the exit status. */
async function pushAll(
  client: Client,
  changes: readonly PlannedChange[],
  outcomes: Outcome[],
): Promise<number> {
  let status: number = EXIT_STATUS.done;
  // Templates call partials, so the partials are stored first.
  const ordered = changes.toSorted(
    (left, right) => Number(right.local.state.partial) - Number(left.local.state.partial),
  );
  for (const change of ordered) {
    const { label: template } = change.local;
    try {
      const { version, isDraft } = await pushOne(client, change);
      const result = isDraft ? 'draft' : change.remote ? 'pushed' : 'created';
      const isHeldBack = isDraft && !change.isDraft;
      const message = `version ${version}${isHeldBack ? ', until its cases are accepted on the server' : ''}`;
      outcomes.push({ template, result, version, message, changes: change.changes });
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      const isConflict = error.httpStatus === 409;
      const message = isConflict ? 'it has just changed on the server; pull first' : error.message;
      outcomes.push({ template, result: isConflict ? 'conflict' : 'refused', isConflict: true, message });
      if (!isConflict) status = EXIT_STATUS.document;
    }
  }
  return status;
}

/**
 * Stores one template and its cases, and remembers it in the folder. The base of later changes is the state
 * that was stored. A later state could contain another author's change.
 */
async function pushOne(client: Client, { local, remote, isDraft }: PlannedChange): Promise<Pushed> {
  const { state } = local;
  if (!remote) {
    const { id, version } = await client.json<{ id: string; version: number }>('POST /v1/templates', {
      body: bodyOf(state, fieldsOf(state)),
    });
    // Remembered at once, so that a push that fails after this does not create it again.
    remember(client, local, { id, version, state: { ...state, cases: new Map() } });
    await saveCases(client, id, state.cases, new Map());
    remember(client, local, { id, version, state });
    return { version, isDraft };
  }
  if (!isDraft) await requireUnchanged(client, remote);
  // The accepted pages are those of this version, so they come before a version that they check.
  if (!isDraft && state.requireChecks) await saveCases(client, remote.id, state.cases, remote.state.cases);
  const stored = await putTemplate(client, { local, remote, isDraft });
  const { content } = state;
  if (isDraft) {
    const known = local.servers[client.url];
    const draft = stored ? stateOf(stored, { content, cases: new Map() }) : remote.state;
    if (known) saveRecord(client, local, { ...known, draft: digestOf(draftFilesOf(draft)) });
    return { version: stored?.version ?? remote.version, isDraft };
  }
  if (!state.requireChecks) await saveCases(client, remote.id, state.cases, remote.state.cases);
  const isHeldBack = stored !== undefined && stored.draft_version === stored.version;
  // The response is the draft, and the current version has kept its content.
  if (isHeldBack) remember(client, local, await readRemote(client, remote.id));
  else {
    const { version } = stored ?? remote;
    const pushed = stored
      ? stateOf(stored, { content, cases: state.cases })
      : { ...remote.state, cases: state.cases };
    remember(client, local, { id: remote.id, version, state: pushed });
  }
  return { version: stored?.version ?? remote.version, isDraft: isHeldBack };
}

/**
 * Requires that a template still has the state to which the change was compared. A person may have taken time
 * to answer, and the first request stores cases, which have no `expected_etag`.
 * @throws {DocumentError} with the status of a conflict
 */
async function requireUnchanged(client: Client, remote: RemoteTemplate): Promise<void> {
  const now = await readRemote(client, remote.id);
  if (now.etag !== remote.etag || digestOf(filesOf(now.state)) !== digestOf(filesOf(remote.state)))
    throw new DocumentError('the template has changed', { code: 'CONFLICT', details: [], httpStatus: 409 });
}

/**
 * Stores the fields and the content of a template if they differ. Returns the stored version, which is a
 * draft if the template requires checks that do not pass.
 */
async function putTemplate(
  client: Client,
  {
    local: { state },
    remote,
    isDraft,
  }: Omit<PlannedChange, 'changes' | 'remote'> & { remote: RemoteTemplate },
): Promise<TemplateBody | undefined> {
  const select = isDraft ? draftFilesOf : (each: TemplateState) => filesOf({ ...each, cases: new Map() });
  if (digestOf(select(remote.state)) === digestOf(select(state))) return undefined;
  const fields = isDraft ? { draft: true } : fieldsOf(state, remote.state);
  const removed = remote.state.translations && !state.translations && { translations: {} };
  const body = bodyOf(state, { ...fields, ...removed, expected_etag: remote.etag });
  return client.json<TemplateBody>(`PUT ${templatePath(remote.id)}`, { body });
}

/** Returns the fields of a request beside the content. */
function fieldsOf(
  { name, alias, category, partial, tags, requireChecks }: TemplateState,
  before?: TemplateState,
) {
  // A service that does not test templates refuses this field.
  const changesChecks = requireChecks !== (before?.requireChecks ?? false);
  return { name, alias, category, partial, tags, ...(changesChecks && { require_checks: requireChecks }) };
}

/** Returns the body of a request that stores a template. Files are sent as base64. */
function bodyOf(state: TemplateState, fields: object): object {
  const { content, schema, options, sampleData, translations, defaultLocale } = state;
  const data = {
    schema,
    options,
    sample_data: sampleData,
    ...(translations && { translations }),
    ...(defaultLocale !== undefined && { default_locale: defaultLocale }),
  };
  if (content.format === 'html') return { ...fields, ...data, html_content: content.text };
  return { ...fields, ...data, file: Buffer.from(content.bytes).toString('base64') };
}

/** Remembers the state of a server, from which later changes are counted. */
function remember(
  client: Client,
  local: LocalTemplate,
  { id, version, state }: Pick<RemoteTemplate, 'id' | 'version' | 'state'>,
): void {
  saveRecord(client, local, { id, version, content: digestOf(filesOf(state)) });
}

function saveRecord(client: Client, local: LocalTemplate, record: ServerRecord): void {
  if (JSON.stringify(local.servers[client.url]) === JSON.stringify(record)) return;
  local.servers = { ...local.servers, [client.url]: record };
  writeRecords(local, local);
}

function showChange({ local, remote, isDraft, changes }: PlannedChange): void {
  const what = !remote ? 'new template' : isDraft ? 'draft' : `changes version ${remote.version}`;
  console.log(printable(`${local.label} (${what})`));
  for (const line of changes) console.log(printable(`  ${line}`));
}

/** Asks whether to push. @throws {CommandError} if the person refuses; UsageError without a terminal */
async function confirm({ url }: Client, count: number): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageError('nothing was pushed, because there is no terminal to ask in; add --yes');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const what = count === 1 ? '1 template' : `${count} templates`;
  const given = await reader.question(`Push ${what} to ${url}? [y/N] `).finally(() => reader.close());
  if (!/^y(?:es)?$/i.test(given.trim()))
    throw new CommandError('nothing was pushed', { exitStatus: EXIT_STATUS.findings, code: 'CANCELED' });
}
