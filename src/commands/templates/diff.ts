import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_STATUS } from '../failures.ts';
import { formatJson } from '../json-text.ts';
import { printable } from '../names.ts';
import { startProgress } from '../progress.ts';
import type { Client } from '../service/client.ts';
import { listChanges, unifiedDiff, type FileChange } from './compare.ts';
import { readInside, requireTemplates, type LocalTemplate } from './folder.ts';
import { listRemote, readRemote } from './remote.ts';
import { filesOf, pathInFolder, presentFields, type TemplateFiles, type TemplateState } from './state.ts';

const TEXT_FILE = /\.(?:html|hbs|json)$/;

interface Difference {
  template: string;
  id?: string;
  where: 'both' | 'folder' | 'server';
  files: readonly FileChange[];
  text: string;
}

/**
 * Prints the differences between a server and a folder: what a push would change. Returns the exit status,
 * which is 1 if there are differences.
 */
export async function diff(
  client: Client,
  { folder, json }: { folder: string; json: boolean },
): Promise<number> {
  const templates = requireTemplates(folder);
  const known = await listRemote(client);
  const found = new Set<string>();
  const differences: Difference[] = [];
  {
    using progress = startProgress();
    for (const [index, local] of templates.entries()) {
      const { label, state, servers } = local;
      progress.show(`${index + 1} of ${templates.length} templates`);
      const files = filesOf(state);
      const match = known.find(({ id, alias }) =>
        servers[client.url] ? id === servers[client.url]?.id : alias !== null && alias === state.alias,
      );
      const remote = match && (await readRemote(client, match.id));
      if (remote) found.add(remote.id);
      const there = remote ? filesOf(remote.state) : new Map<string, string>();
      const changes = listChanges(there, files);
      if (changes.length === 0) continue;
      const paths = changes.map(({ path }) => pathInFolder(path, local.fileName));
      const from = inFolder(remote ? withServers(there, remote.state, servers) : there, local);
      const text = unifiedDiff(paths, { folder: local.path, from, to: asWritten(local, paths) });
      const where = remote ? 'both' : 'folder';
      const id = remote && { id: remote.id };
      differences.push({ template: label, ...id, where, files: changes, text });
    }
  }
  // A folder that is one template says nothing about the others.
  for (const { id, name } of templates[0]?.path === '.' ? [] : known)
    if (!found.has(id))
      differences.push({
        template: name,
        id,
        where: 'server',
        files: [],
        text: `Only on the server: ${name} (${id})\n`,
      });
  if (json) console.log(JSON.stringify({ differences: differences.map(presentDifference) }));
  // Unlike `process.stdout.write`, this has written everything when the command ends.
  else for (const { text } of differences) console.log(printable(text.replace(/\n$/, '')));
  return differences.length > 0 ? EXIT_STATUS.findings : EXIT_STATUS.done;
}

/** Returns files as they are in a folder, because a patch fits only them. Absent ones have their defaults. */
function asWritten({ root, path: folder }: LocalTemplate, paths: readonly string[]): TemplateFiles {
  const place = join(root, folder);
  return new Map(
    paths
      .filter((path) => existsSync(join(place, path)))
      .map((path) => {
        const bytes = readInside(place, path);
        return [path, TEXT_FILE.test(path) ? bytes.toString() : bytes] as const;
      }),
  );
}

/** Names files as they are named in the folder of a template. */
function inFolder(files: TemplateFiles, { fileName }: LocalTemplate): TemplateFiles {
  return new Map([...files].map(([path, content]) => [pathInFolder(path, fileName), content]));
}

/** Returns the files of a server. Their `template.json` has the servers that the folder remembers. */
function withServers(
  files: TemplateFiles,
  state: TemplateState,
  servers: LocalTemplate['servers'],
): TemplateFiles {
  if (Object.keys(servers).length === 0) return files;
  return new Map(files).set('template.json', formatJson({ ...presentFields(state), servers }));
}

function presentDifference({ template, id, where, files }: Difference): object {
  return { template, ...(id !== undefined && { id }), where, files };
}
