import type { Client } from '../service/client.ts';
import { templatePath } from './remote.ts';
import { digestOf, presentCase, type TemplateCase } from './state.ts';

/** Stores the cases of a template, and deletes those that it no longer has. */
export async function saveCases(
  client: Client,
  id: string,
  cases: ReadonlyMap<string, TemplateCase>,
  before: ReadonlyMap<string, TemplateCase>,
): Promise<void> {
  for (const [name, entry] of cases) {
    const earlier = before.get(name);
    if (earlier && isSameCase(earlier, entry)) continue;
    // A case that is stored without pages keeps the accepted ones, so they are deleted with the case.
    if (earlier?.accepted && !entry.accepted) await client.json(`DELETE ${casePath(id, name)}`);
    await saveCase(client, id, name, entry);
  }
  for (const name of before.keys()) if (!cases.has(name)) await client.json(`DELETE ${casePath(id, name)}`);
}

/** Stores a case with its accepted pages. A case without them keeps those of the server. */
export async function saveCase(client: Client, id: string, name: string, entry: TemplateCase): Promise<void> {
  const { accepted } = entry;
  await client.json(`PUT ${casePath(id, name)}`, {
    body: {
      ...presentCase(entry),
      options: entry.options,
      ...(accepted && { accepted: Buffer.from(accepted).toString('base64') }),
    },
  });
}

/** Returns the path of a case in the API. */
export function casePath(id: string, name: string): string {
  return `${templatePath(id)}/cases/${encodeURIComponent(name)}`;
}

function isSameCase(left: TemplateCase, right: TemplateCase): boolean {
  return (
    JSON.stringify([presentCase(left), digestOfAccepted(left)]) ===
    JSON.stringify([presentCase(right), digestOfAccepted(right)])
  );
}

function digestOfAccepted({ accepted }: TemplateCase): string {
  return accepted ? digestOf(new Map([['', accepted]])) : '';
}
