import { join } from 'node:path';
import { DocumentError, ServiceError, UsageError } from '../failures.ts';
import type { Client } from '../service/client.ts';
import type { LocalTemplate } from '../templates/folder.ts';
import { templatePath } from '../templates/remote.ts';
import { casePath, saveCase } from '../templates/save-cases.ts';
import { inTemplate, stageTemplate, type StagedTemplate } from '../templates/stage.ts';
import { writeInside } from '../templates/write-folder.ts';
import type { CaseResult } from './case-result.ts';
import { savePictures } from './pictures.ts';

type Checked = Omit<CaseResult, 'template' | 'pictures'>;

/** How cases are tested. */
export interface CheckOptions {
  /** Whether the pages of new and different cases become the accepted ones. */
  update: boolean;
  /** The folder for pictures. */
  output: string;
  /** Receives each result as soon as it is known. */
  onResult: (result: CaseResult) => void;
}

/** A request checks so many cases, so that progress is seen and a response comes in time. */
const CASES_AT_ONCE = 8;

/** Tests the cases of a template of a folder. Faults of the template are results. @throws {CommandError} */
export async function checkTemplate(
  client: Client,
  local: LocalTemplate,
  { siblings, ...options }: CheckOptions & { siblings: readonly LocalTemplate[] },
): Promise<readonly string[]> {
  const { cases } = local.state;
  const fail = (name: string, { code, message }: DocumentError) =>
    options.onResult({
      template: local.label,
      name,
      status: 'failed',
      error: { code, message },
      pages: [],
      layout: [],
      pictures: [],
    });
  let staged: StagedTemplate;
  try {
    staged = await stageTemplate(client, local, siblings);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    for (const name of cases.keys()) fail(name, error);
    return [];
  }
  await using template = staged;
  const stored: string[] = [];
  for (const [name, entry] of cases) {
    try {
      await saveCase(client, template.id, name, entry);
      stored.push(name);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      fail(name, error);
    }
  }
  for (let start = 0; start < stored.length; start += CASES_AT_ONCE) {
    const names = stored.slice(start, start + CASES_AT_ONCE);
    const { cases: checked } = await client
      .json<{ cases: Checked[] }>(`POST ${templatePath(template.id)}/check`, { body: { cases: names } })
      .catch((error: unknown) => {
        throw error instanceof DocumentError ? inTemplate(local, error) : error;
      });
    for (const found of checked) requireExpected(client, found, names);
    for (const found of checked)
      options.onResult(await finish(client, local, template.id, { found, ...options }));
  }
  return template.lost.map(
    ({ file, line, reference, reason }) =>
      `${join(local.label, file)}:${line}: ${reference} ${reason === 'missing' ? 'is missing' : 'is outside of the folder'}`,
  );
}

/**
 * Requires a case of the request, with pages that have numbers: both become names of files.
 * @throws {ServiceError}
 */
function requireExpected({ url }: Client, { name, pages }: Checked, names: readonly string[]): void {
  const isExpected =
    names.includes(name) && pages.every(({ page }) => Number.isSafeInteger(page) && page > 0);
  if (!isExpected)
    throw new ServiceError(
      `${url} sent the result of an unknown case or page; check the address, and the version of the service`,
    );
}

/** Accepts the pages of a case if it is to be updated; otherwise, writes the pictures of its differences. */
async function finish(
  client: Client,
  local: LocalTemplate,
  id: string,
  { found, update, output }: Pick<CheckOptions, 'update' | 'output'> & { found: Checked },
): Promise<CaseResult> {
  const { name, status } = found;
  const result = { ...found, template: local.label, pictures: [] };
  if (status === 'equal' || status === 'failed') return result;
  if (update) {
    const { accepted } = await client.json<{ accepted: { url: string | null } }>(
      `POST ${casePath(id, name)}/accept`,
      { body: {} },
    );
    if (accepted.url === null) throw new UsageError('a test key reads no accepted pages; use a live key');
    const pdf = await client.bytes(accepted.url);
    writeInside(local.root, join(local.path, 'cases', `${name}.pdf`), pdf);
    return { ...result, status: 'accepted' };
  }
  const accepted = local.state.cases.get(name)?.accepted ?? null;
  const folder = join(local.label, name);
  return { ...result, pictures: await savePictures(client, found.pages, { accepted, output, folder }) };
}
