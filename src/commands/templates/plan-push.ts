import { DocumentError } from '../failures.ts';
import type { Client } from '../service/client.ts';
import { compareFiles, describeChange, listChanges } from './compare.ts';
import type { LocalTemplate } from './folder.ts';
import { readRemote, type RemoteTemplate } from './remote.ts';
import type { Outcome } from './report.ts';
import { digestOf, filesOf, type TemplateFiles, type TemplateState } from './state.ts';

/** A change that a push makes. */
export interface PlannedChange {
  local: LocalTemplate;
  /** The template on the server; absent for a new one. */
  remote?: RemoteTemplate;
  isDraft: boolean;
  /** Lines about the changed files. */
  changes: readonly string[];
}

/** A change to make, or the outcome for a template that is left alone. */
export type Planned = { change: PlannedChange } | { outcome: Outcome; sameAs?: RemoteTemplate };

/**
 * Compares a template with the server. A change is planned only if the server still has the state that was
 * pulled or pushed last.
 */
export async function planPush(
  client: Client,
  local: LocalTemplate,
  { isDraft }: { isDraft: boolean },
): Promise<Planned> {
  const { label: template, state } = local;
  const record = local.servers[client.url];
  const idOrAlias = record?.id ?? state.alias;
  const current = idOrAlias === null ? undefined : await readIfPresent(client, idOrAlias);
  const conflict = (message: string): Planned => ({
    outcome: { template, result: 'conflict', isConflict: true, message },
  });
  if (!current && record)
    return conflict(
      `the server no longer has it; remove its entry from servers in template.json to store it as a new template`,
    );
  if (!current) {
    if (isDraft) return conflict('a new template cannot be a draft; push it without --draft');
    return { change: { local, isDraft, changes: describe(new Map(), filesOf(state)) } };
  }
  const pending = isDraft && current.draftVersion !== null;
  const remote = pending ? await readRemote(client, current.id, 'draft') : current;
  const select = isDraft ? draftFilesOf : filesOf;
  const [here, there] = [select(state), select(remote.state)];
  const base = pending ? record?.draft : isDraft ? undefined : record?.content;
  const relation = compareFiles(here, there, base);
  if (relation === 'equal')
    return {
      outcome: { template, result: 'unchanged', version: remote.version },
      ...(!isDraft && { sameAs: remote }),
    };
  // A draft does not replace the current version. It is made for the version that was pulled.
  const isBased =
    isDraft && !pending ? digestOf(filesOf(current.state)) === record?.content : relation === 'here';
  if (!isBased) return conflict(explainConflict(record !== undefined, pending));
  return { change: { local, remote, isDraft, changes: describe(there, here) } };
}

/** Returns the files of a template that are part of a draft. */
export function draftFilesOf(state: TemplateState): TemplateFiles {
  const none = {
    name: '',
    alias: null,
    category: 'other',
    partial: false,
    tags: [],
    requireChecks: false,
    cases: new Map(),
  };
  return filesOf({ ...state, ...none });
}

function explainConflict(isKnown: boolean, pending: boolean): string {
  if (pending) return 'the server has a draft that was not pushed from here; promote or delete it first';
  return isKnown
    ? 'it has changed on the server since it was pulled; pull first'
    : 'the server has a template with this alias, which was not pulled; pull first';
}

async function readIfPresent(client: Client, idOrAlias: string): Promise<RemoteTemplate | undefined> {
  try {
    return await readRemote(client, idOrAlias);
  } catch (error) {
    if (error instanceof DocumentError && error.httpStatus === 404) return undefined;
    throw error;
  }
}

function describe(from: TemplateFiles, to: TemplateFiles): string[] {
  return listChanges(from, to).map(describeChange);
}
