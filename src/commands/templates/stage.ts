import { join, resolve } from 'node:path';
import { addPartials } from '../documents/partials.ts';
import type { LostReference } from '../documents/inline-files.ts';
import { readDocument } from '../documents/read-document.ts';
import { DocumentError, UsageError } from '../failures.ts';
import type { JsonObject } from '../json-text.ts';
import type { Client } from '../service/client.ts';
import { readTemplates, type LocalTemplate } from './folder.ts';
import { templatePath } from './remote.ts';
import type { TemplateState } from './state.ts';

/** A template of a folder that a service has for the time of a command. */
export interface StagedTemplate extends AsyncDisposable {
  id: string;
  /** The options of the template, with the files that they name. */
  options: JsonObject | null;
  /** The references to files that are missing or outside the folder. */
  lost: readonly LostReference[];
}

/**
 * Stores a template of a folder with its partials and the files beside it. Disposing of the result deletes
 * it. The stored templates of the account do not change.
 */
export async function stageTemplate(
  client: Client,
  local: LocalTemplate,
  siblings: readonly LocalTemplate[],
): Promise<StagedTemplate> {
  const { schema, content } = local.state;
  const { fields, lost } =
    content.format === 'html'
      ? await readHtml(local, siblings)
      : {
          fields: { file: Buffer.from(content.bytes).toString('base64'), options: local.state.options },
          lost: [],
        };
  const { id } = await client.json<{ id: string }>('POST /v1/templates', {
    body: { name: nameOf(local), schema, ...fields },
  });
  return {
    id,
    options: fields.options,
    lost,
    async [Symbol.asyncDispose]() {
      // The data of an own service ends with the command.
      if (client.isOwn) return;
      // A failure that ends the command is the one to report. The template's name says where it comes from.
      await client.json(`DELETE ${templatePath(id)}`).catch(() => undefined);
    },
  };
}

/**
 * Stores the partials among the templates of a folder in an own service, where all templates can call them.
 * Another service gets them as a part of the templates that call them.
 */
export async function stagePartials(client: Client, templates: readonly LocalTemplate[]): Promise<void> {
  if (!client.isOwn) return;
  for (const local of templates) {
    const { partial, name, content } = local.state;
    if (!partial || content.format !== 'html') continue;
    const body = { name, partial, html_content: content.text };
    await client.json('POST /v1/templates', { body }).catch((error: unknown) => {
      throw error instanceof DocumentError ? inTemplate(local, error) : error;
    });
  }
}

/**
 * Returns the partials that the templates of a command can call: those among the templates, or beside the
 * folder of one template. A fault in another folder beside it does not matter here.
 */
export function partialsBeside(templates: readonly LocalTemplate[]): readonly LocalTemplate[] {
  const [first] = templates;
  if (first?.path !== '.') return templates.filter(({ state }) => state.partial);
  try {
    return readTemplates(join(resolve(first.root), '..')).filter(({ state }) => state.partial);
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** Names the template in an error of the service. */
export function inTemplate({ label }: LocalTemplate, error: DocumentError): DocumentError {
  const { code, details, httpStatus } = error;
  return new DocumentError(`${label}: ${error.message}`, { code, details, httpStatus });
}

/** Reads HTML with everything that the folder has for it. */
async function readHtml(local: LocalTemplate, siblings: readonly LocalTemplate[]) {
  const { request, lost } = await readDocument({ path: join(local.root, local.path), options: {} });
  const own = local.partials;
  const partials = siblings.flatMap(({ label, state }) =>
    state.partial && state.content.format === 'html' && !own.has(state.name)
      ? [{ name: state.name, file: `${label}/template.html`, source: state.content.text }]
      : [],
  );
  const { translations, default_locale } = request;
  const fields: { html_content: string; options: JsonObject | null } = {
    html_content: addPartials(String(request['html']), partials),
    options: (request['options'] as TemplateState['options'] | undefined) ?? null,
    ...(translations !== undefined && { translations }),
    ...(default_locale !== undefined && { default_locale }),
  };
  return { fields, lost };
}

/** Names the template in lists of the account, from which a command that was killed does not delete it. */
function nameOf({ label }: LocalTemplate): string {
  return `platen: ${label}`.slice(0, 200);
}
