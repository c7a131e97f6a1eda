import { DocumentError } from '../failures.ts';
import type { Client } from '../service/client.ts';
import type { LocalTemplate } from '../templates/folder.ts';
import { casePath, saveCase } from '../templates/save-cases.ts';
import { stageTemplate, type StagedTemplate } from '../templates/stage.ts';
import type { TemplateCase } from '../templates/state.ts';

/** The pages that the present browser prints. */
export interface PresentPages {
  /** The cases that can be printed. Their accepted pages are those of the present browser. */
  cases: ReadonlyMap<string, TemplateCase>;
  /** The cases that cannot be printed, with their errors. */
  failed: ReadonlyMap<string, DocumentError>;
}

/** Prints the cases of a template of a folder on an own service. @throws {CommandError} */
export async function printPresentPages(
  client: Client,
  local: LocalTemplate,
  { siblings, onCase }: { siblings: readonly LocalTemplate[]; onCase: () => void },
): Promise<PresentPages> {
  const cases = new Map<string, TemplateCase>();
  const failed = new Map<string, DocumentError>();
  let staged: StagedTemplate;
  try {
    staged = await stageTemplate(client, local, siblings);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    for (const name of local.state.cases.keys()) failed.set(name, error);
    return { cases, failed };
  }
  await using template = staged;
  for (const [name, entry] of local.state.cases) {
    try {
      await saveCase(client, template.id, name, { ...entry, accepted: null });
      cases.set(name, { ...entry, accepted: await printCase(client, casePath(template.id, name)) });
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      failed.set(name, error);
    }
    onCase();
  }
  return { cases, failed };
}

async function printCase(client: Client, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const { accepted } = await client.json<{ accepted: { url: string } }>(`POST ${path}/accept`, { body: {} });
  return client.bytes(accepted.url);
}
