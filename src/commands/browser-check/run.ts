import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from '../../errors.ts';
import { UsageError } from '../failures.ts';
import { startProgress } from '../progress.ts';
import type { Client } from '../service/client.ts';
import { connectTo, connectToOwn, type ServiceOptions } from '../service/connect.ts';
import { TemporaryFolder } from '../service/temporary-folder.ts';
import type { CaseResult } from '../template-tests/case-result.ts';
import { checkTemplate } from '../template-tests/check.ts';
import { clearPictures } from '../template-tests/pictures.ts';
import { reportResults, sortResults } from '../template-tests/report.ts';
import { DEFAULT_FOLDER, type LocalTemplate } from '../templates/folder.ts';
import { partialsBeside, stagePartials } from '../templates/stage.ts';
import { copyAssets } from './copy-assets.ts';
import { printPresentPages } from './present-pages.ts';
import { isPrinted, readSource, type Source } from './sources.ts';

/** The templates to print with two browsers. */
export interface BrowserCheckOptions {
  /** The path of the other browser. */
  chromium: string;
  /** A folder; without it, the templates are those of the service, or in the default folder. */
  folder: string | undefined;
  starters: boolean;
  /** The folder for pictures. */
  output: string;
  json: boolean;
  service: ServiceOptions;
}

/** A service of this process with one of the browsers. */
interface Side extends AsyncDisposable {
  client: Client;
  /** The version of its browser, such as `156.0.8078.108`. */
  version: string;
}

/**
 * Prints the cases of templates with the present browser and with another one, compares the pages as template
 * tests do, and prints a line for each case. Returns the exit status, which is 1 if pages change.
 */
export async function checkBrowser({
  chromium,
  folder,
  starters,
  output,
  json,
  service,
}: BrowserCheckOptions): Promise<number> {
  const path = requireProgram(chromium);
  if (starters && folder !== undefined)
    throw new UsageError('--starters checks the built-in starters; leave out the folder');
  const server = !starters && folder === undefined && service.server ? connectTo(service) : undefined;
  using temporary = new TemporaryFolder();
  const results: CaseResult[] = [];
  const warnings: string[] = [];
  let versions: { present: string; other: string };
  {
    await using other = await startOther(path);
    await using present = await startSide({ withStarters: starters });
    versions = { present: present.version, other: other.version };
    const source: Source = server
      ? { kind: 'service', client: server }
      : starters
        ? { kind: 'starters', client: present.client }
        : { kind: 'folder', folder: folder ?? DEFAULT_FOLDER };
    const templates = await readSource(source, temporary.path);
    if (server) await copyAssets(server, [present.client, other.client]);
    const onResult = (result: CaseResult) => void results.push(result);
    warnings.push(...(await compareTemplates({ present, other }, templates, { output, onResult })));
  }
  if (results.length === 0)
    throw new UsageError('no HTML template was found; name a folder with HTML templates');
  if (!json)
    console.log(`Chromium ${versions.present} is the present browser, ${versions.other} the other one.`);
  return reportResults(sortResults(results), { warnings, json, facts: { chromium: versions } });
}

/** Compares the cases of each template in turn. Returns warnings. */
async function compareTemplates(
  { present, other }: { present: Side; other: Side },
  templates: readonly LocalTemplate[],
  { output, onResult }: { output: string; onResult: (result: CaseResult) => void },
): Promise<string[]> {
  const siblings = partialsBeside(templates);
  for (const { client } of [present, other]) await stagePartials(client, siblings);
  const printed = templates.filter(isPrinted);
  const total = printed.reduce((sum, { state }) => sum + 2 * state.cases.size, 0);
  let done = 0;
  using progress = startProgress();
  const onCase = () => progress.show(`${++done} of ${total} documents`);
  const warnings: string[] = [];
  for (const local of printed) {
    for (const name of local.state.cases.keys()) clearPictures(output, join(local.label, name));
    const { cases, failed } = await printPresentPages(present.client, local, { siblings, onCase });
    for (const [name, { code, message }] of failed)
      onResult({
        template: local.label,
        name,
        status: 'failed',
        error: { code, message: `with Chromium ${present.version}, the present one: ${message}` },
        pages: [],
        layout: [],
        pictures: [],
      });
    const withPages = { ...local, state: { ...local.state, cases } };
    const check = (result: CaseResult) => {
      onResult(nameBrowser(result, other.version));
      onCase();
    };
    const options = { siblings, update: false, output, onResult: check };
    if (cases.size > 0) warnings.push(...(await checkTemplate(other.client, withPages, options)));
  }
  return warnings;
}

/** Adds to a failure the version of the browser that could not print the case. */
function nameBrowser(result: CaseResult, version: string): CaseResult {
  const { error } = result;
  if (!error) return result;
  return { ...result, error: { ...error, message: `with Chromium ${version}: ${error.message}` } };
}

/** @throws {UsageError} if the path is not a file */
function requireProgram(chromium: string): string {
  const path = resolve(chromium);
  if (!existsSync(path) || !statSync(path).isFile())
    throw new UsageError(`--chromium: ${path} is not a file; name the program of a Chromium`);
  return path;
}

/** Starts the service of the other browser. @throws {UsageError} that names `--chromium` */
async function startOther(chromium: string): Promise<Side> {
  try {
    return await startSide({ chromium });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replace('CHROMIUM_PATH: ', '--chromium: '));
  }
}

async function startSide(options: Parameters<typeof connectToOwn>[0]): Promise<Side> {
  const { client, browser } = await connectToOwn(options);
  const close = () => client[Symbol.asyncDispose]();
  try {
    const described = await browser().catch((error: unknown) => {
      throw new UsageError(`CHROMIUM_PATH: ${messageOf(error)}`);
    });
    const [version = 'of an unknown version'] = /^Chromium ([\d.]+)/.exec(described)?.slice(1) ?? [];
    return { client, version, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
