import { EXIT_STATUS } from '../failures.ts';
import { printable } from '../names.ts';
import { startProgress } from '../progress.ts';
import type { Client } from '../service/client.ts';
import { listChanges, unifiedDiff, type FileChange } from './compare.ts';
import { requireTemplates } from './folder.ts';
import { listRemote, readRemote } from './remote.ts';
import { filesOf } from './state.ts';

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
    for (const [index, { label, state, servers }] of templates.entries()) {
      progress.show(`${index + 1} of ${templates.length} templates`);
      const files = filesOf(state);
      const match = known.find(({ id, alias }) =>
        servers[client.url] ? id === servers[client.url]?.id : alias !== null && alias === state.alias,
      );
      const remote = match && (await readRemote(client, match.id));
      if (remote) found.add(remote.id);
      const there = remote ? filesOf(remote.state) : new Map<string, string>();
      const text = unifiedDiff({ name: `server/${label}`, files: there }, { name: label, files });
      if (text === '') continue;
      const where = remote ? 'both' : 'folder';
      const id = remote && { id: remote.id };
      differences.push({ template: label, ...id, where, files: listChanges(there, files), text });
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

function presentDifference({ template, id, where, files }: Difference): object {
  return { template, ...(id !== undefined && { id }), where, files };
}
