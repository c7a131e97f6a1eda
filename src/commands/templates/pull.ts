import { existsSync, statSync } from 'node:fs';
import { listFolder } from '../documents/read-file.ts';
import { UsageError } from '../failures.ts';
import { safeName, uniqueName } from '../names.ts';
import { startProgress } from '../progress.ts';
import type { Client } from '../service/client.ts';
import { compareFiles, type Relation } from './compare.ts';
import { readTemplates, type LocalTemplate, type ServerRecord } from './folder.ts';
import { listRemote, readRemote, type RemoteTemplate } from './remote.ts';
import { reportOutcomes, type Outcome } from './report.ts';
import { digestOf, filesOf } from './state.ts';
import { writeRecords, writeTemplate } from './write-folder.ts';

/** How templates are pulled. */
export interface PullOptions {
  folder: string;
  /** Ids and aliases; all templates when empty. */
  selected: readonly string[];
  /** Whether changes in the folder are replaced by those of the server. */
  force: boolean;
  json: boolean;
}

/**
 * Writes the templates of a server to a folder. A template that has changed here and there stays as it is in
 * the folder. Returns the exit status.
 */
export async function pull(client: Client, { folder, selected, force, json }: PullOptions): Promise<number> {
  const local = readExisting(folder);
  const isOne = local.length === 1 && local[0]?.path === '.';
  const chosen = selected.length > 0 ? selected : isOne ? [idOf(local[0], client)] : undefined;
  const ids = chosen ?? (await listRemote(client)).map(({ id }) => id);
  const taken = new Set(existsSync(folder) ? listFolder(folder).map((name) => name.toLowerCase()) : []);
  const outcomes: Outcome[] = [];
  const found = new Set<string>();
  {
    using progress = startProgress();
    for (const [index, id] of ids.entries()) {
      progress.show(`${index + 1} of ${ids.length} templates`);
      const remote = await readRemote(client, id);
      if (found.has(remote.id)) continue;
      found.add(remote.id);
      const known = findLocal(local, remote, client.url);
      if (isOne && !known) throw new UsageError(`${folder} is another template; name the folder above it`);
      outcomes.push(pullOne({ client, folder, force, taken }, known, remote));
    }
  }
  if (!chosen) outcomes.push(...listGone(local, client.url, found));
  return reportOutcomes(outcomes, { json });
}

function pullOne(
  { client, folder, force, taken }: { client: Client; folder: string; force: boolean; taken: Set<string> },
  known: LocalTemplate | undefined,
  remote: RemoteTemplate,
): Outcome {
  const { state, version } = remote;
  const files = filesOf(state);
  const record: ServerRecord = { id: remote.id, version, content: digestOf(files) };
  if (!known) {
    const name = uniqueName(safeName(state.alias ?? state.name, 'template').toLowerCase(), taken);
    const place = { root: folder, path: name };
    writeTemplate(place, { state, before: undefined, servers: { [client.url]: record } });
    return { template: name, result: 'new', version };
  }
  const before = known.servers[client.url];
  const servers = { ...known.servers, [client.url]: { ...before, ...record } };
  const relation = compareFiles(filesOf(known.state), files, before?.content);
  const outcome = { template: known.label, version };
  if (relation === 'equal') {
    if (before?.content !== record.content || before.version !== version || before.id !== remote.id)
      writeRecords(known, { state: known.state, servers });
    return { ...outcome, result: 'unchanged' };
  }
  if (!mayReplace(relation, force))
    return relation === 'here'
      ? { ...outcome, result: 'kept', message: 'it has changed only here' }
      : {
          ...outcome,
          result: 'conflict',
          isConflict: true,
          message:
            'it has changed here and on the server; commit the folder, pull with --force, and merge with git',
        };
  writeTemplate(known, { state, before: known.state, servers });
  return { ...outcome, result: 'updated' };
}

/** A pull without `--force` replaces only what has not changed in the folder. */
function mayReplace(relation: Relation, force: boolean): boolean {
  return relation === 'there' || force;
}

/** Reads the templates of a folder, which may not exist yet. @throws {UsageError} */
function readExisting(folder: string): LocalTemplate[] {
  if (!existsSync(folder)) return [];
  if (!statSync(folder).isDirectory())
    throw new UsageError(`${folder} is a file; name a folder for the templates`);
  return readTemplates(folder);
}

/** Finds the folder of a template: the one that was pulled from it, or the one with its alias. */
function findLocal(
  local: readonly LocalTemplate[],
  { id, state }: RemoteTemplate,
  url: string,
): LocalTemplate | undefined {
  return (
    local.find(({ servers }) => servers[url]?.id === id) ??
    local.find(({ servers, state: { alias } }) => !servers[url] && alias !== null && alias === state.alias)
  );
}

/** Returns the id by which a folder's own template is read. @throws {UsageError} */
function idOf(template: LocalTemplate | undefined, { url }: Client): string {
  const id = template && (template.servers[url]?.id ?? template.state.alias);
  if (!id)
    throw new UsageError(
      `${template?.root ?? 'the folder'} is a template that ${url} does not know; name the folder above it`,
    );
  return id;
}

/** Lists the templates that the server no longer has. */
function listGone(local: readonly LocalTemplate[], url: string, found: ReadonlySet<string>): Outcome[] {
  return local.flatMap(({ label, servers }) => {
    const id = servers[url]?.id;
    if (id === undefined || found.has(id)) return [];
    return [
      {
        template: label,
        result: 'kept',
        message: 'the server no longer has it; delete the folder too if you agree',
      },
    ];
  });
}
