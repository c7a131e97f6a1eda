import type { JsonObject } from '../json-text.ts';
import type { Client } from '../service/client.ts';
import { readTemplates, requireTemplates, type LocalTemplate } from '../templates/folder.ts';
import { listRemote, readRemote } from '../templates/remote.ts';
import type { TemplateCase, TemplateState } from '../templates/state.ts';
import { writeTemplate } from '../templates/write-folder.ts';
import { safeName, uniqueName } from '../names.ts';

/** The case of a template without cases. It has the sample data. */
const SAMPLE = 'sample';

/** Where the templates come from: a folder, a running service, or the starters of an own service. */
export type Source =
  | { kind: 'folder'; folder: string }
  | { kind: 'service'; client: Client }
  | { kind: 'starters'; client: Client };

/**
 * Reads all templates. A template without cases gets one with its sample data. The templates of a service are
 * written to the folder `temporary`. @throws {CommandError}
 */
export async function readSource(source: Source, temporary: string): Promise<LocalTemplate[]> {
  const templates =
    source.kind === 'folder'
      ? requireTemplates(source.folder)
      : writeTemplates(
          source.kind === 'service' ? await readService(source.client) : await readStarters(source.client),
          temporary,
        );
  return templates.map(withSample);
}

/** Whether the browser prints the template: partials are printed with others, office files by LibreOffice. */
export function isPrinted({ state }: LocalTemplate): boolean {
  return !state.partial && state.content.format === 'html';
}

function withSample(local: LocalTemplate): LocalTemplate {
  const { state } = local;
  if (!isPrinted(local) || state.cases.size > 0) return local;
  const sample: TemplateCase = { data: state.sampleData, options: null, accepted: null };
  return { ...local, state: { ...state, cases: new Map([[SAMPLE, sample]]) } };
}

function writeTemplates(states: readonly TemplateState[], folder: string): LocalTemplate[] {
  const taken = new Set<string>();
  for (const state of states) {
    const name = safeName(state.alias ?? state.name, 'template').toLowerCase();
    writeTemplate({ root: folder, path: uniqueName(name, taken) }, { state, before: undefined, servers: {} });
  }
  return readTemplates(folder);
}

async function readService(client: Client): Promise<TemplateState[]> {
  const states: TemplateState[] = [];
  for (const { id } of await listRemote(client)) states.push((await readRemote(client, id)).state);
  return states;
}

interface StarterBody {
  name: string;
  category: string;
  html_content: string | null;
  sample_data: JsonObject;
  schema: JsonObject;
  options: JsonObject | null;
  translations?: JsonObject;
  default_locale?: string;
  cases: { name: string; data: JsonObject }[];
}

async function readStarters(client: Client): Promise<TemplateState[]> {
  const { data } = await client.json<{ data: { slug: string }[] }>('/v1/starter-templates');
  const states: TemplateState[] = [];
  for (const { slug } of data) {
    const starter = await client.json<StarterBody>(`/v1/starter-templates/${slug}`);
    if (starter.html_content === null) continue;
    states.push({
      name: starter.name,
      alias: slug,
      category: starter.category,
      partial: false,
      tags: [],
      requireChecks: false,
      options: starter.options,
      schema: starter.schema,
      translations: starter.translations,
      defaultLocale: starter.default_locale,
      content: { format: 'html', text: starter.html_content },
      sampleData: starter.sample_data,
      cases: new Map(
        starter.cases.map(({ name, data: values }) => [
          name,
          { data: values, options: null, accepted: null },
        ]),
      ),
    });
  }
  return states;
}
