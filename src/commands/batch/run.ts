import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EXIT_STATUS, UsageError } from '../failures.ts';
import type { JsonObject } from '../json-text.ts';
import { printable } from '../names.ts';
import { startProgress } from '../progress.ts';
import type { Client } from '../service/client.ts';
import { connect, connectTo, type ServiceOptions } from '../service/connect.ts';
import { requireTemplates, type LocalTemplate } from '../templates/folder.ts';
import { templatePath } from '../templates/remote.ts';
import { partialsBeside, stagePartials, stageTemplate } from '../templates/stage.ts';
import { writeInside } from '../templates/write-folder.ts';
import { divide, MAX_ITEMS } from './chunks.ts';
import { fileNames } from './file-names.ts';
import { readItems } from './items.ts';

/** How the documents of a data file are made. */
export interface BatchOptions {
  /** The folder of a template; absent with `template`. */
  folder: string | undefined;
  /** The id or alias of a stored template. */
  template: string | undefined;
  data: string;
  /** The folder for the PDFs. */
  output: string;
  /** The field whose value names the PDF of an item. */
  name: string | undefined;
  overwrite: boolean;
  json: boolean;
  service: ServiceOptions;
}

interface Item {
  data: JsonObject;
  place: string;
  file: string;
}

interface FailedItem {
  place: string;
  file: string;
  error: string;
}

/** A page of `GET /v1/batches/:id/items`. */
interface ItemsPage {
  data: { index: number; status: string; error: string | null; url: string | null }[];
}

/** What all documents have in common. */
interface Source {
  template: string;
  options?: JsonObject;
}

const PAGE_ITEMS = 100;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** Makes a PDF for each item of a data file, `maxItems` with each request. Returns the exit status. */
export async function runBatch(options: BatchOptions, maxItems = MAX_ITEMS): Promise<number> {
  const { folder, output, overwrite, json } = options;
  const local = folder === undefined ? undefined : requireOne(folder);
  const read = readItems(options.data);
  const names = fileNames(read, options.name);
  const items = read.map((item, index) => ({ ...item, file: names[index] ?? '' }));
  requireFolder(output);
  const open = overwrite ? items : items.filter(({ file }) => !existsSync(join(output, file)));
  const kept = items.length - open.length;
  const failed: FailedItem[] = [];
  let made = 0;
  if (open.length > 0) {
    await using client = local ? await connect(options.service, { json }) : connectTo(options.service);
    using progress = startProgress();
    await using template = local
      ? await stageWithPartials(client, local)
      : await readStored(client, options.template ?? '');
    const source = {
      template: template.id,
      ...(template.options && { options: template.options }),
    };
    for (const chunk of divide(open, ({ data }) => JSON.stringify(data).length * 3, maxItems)) {
      const done = made + failed.length;
      const onProgress = (count: number) => progress.show(`${done + count} of ${open.length} documents`);
      const failures = await makeChunk(client, { chunk, source, output, onProgress });
      failed.push(...failures);
      made += chunk.length - failures.length;
    }
  }
  if (json) console.log(JSON.stringify({ folder: output, made, kept, failed }));
  else report({ output, made, kept, failed });
  return failed.length > 0 ? EXIT_STATUS.findings : EXIT_STATUS.done;
}

/** Makes the documents of one batch, and saves each as soon as it is made. */
async function makeChunk(
  client: Client,
  {
    chunk,
    source,
    output,
    onProgress,
  }: {
    chunk: readonly Item[];
    source: Source;
    output: string;
    onProgress: (count: number) => void;
  },
): Promise<FailedItem[]> {
  onProgress(0);
  const { batch_id: id } = await client.json<{ batch_id: string }>('POST /v1/batches', {
    body: formOf(chunk, source),
    // A request that is repeated after a lost response makes the documents once.
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  const failed: FailedItem[] = [];
  const settled = new Set<number>();
  // Items end about in their order, so the page after the first one that has not ended has the next ones.
  let offset = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ;) {
    const before = settled.size;
    const query = { limit: String(PAGE_ITEMS), offset: String(offset) };
    const page = await client.json<ItemsPage>(`/v1/batches/${id}/items`, { query });
    for (const { index, status, error, url } of page.data) {
      const item = chunk[index];
      if (!item || settled.has(index) || status === 'queued' || status === 'processing') continue;
      settled.add(index);
      onProgress(settled.size);
      if (url !== null) writeInside(output, item.file, await client.bytes(url));
      else failed.push({ place: item.place, file: item.file, error: error ?? status });
    }
    while (settled.has(offset)) offset += 1;
    if (settled.size === chunk.length) return failed;
    pauseMs = settled.size > before ? FIRST_PAUSE_MS : Math.min(pauseMs * 1.5, MAX_PAUSE_MS);
    await wait(pauseMs);
  }
}

/** Returns the request for the documents of items: NDJSON, and the template with its options. */
function formOf(chunk: readonly Item[], { template, options }: Source): FormData {
  const form = new FormData();
  form.append('template', template);
  if (options) form.append('options', JSON.stringify(options));
  const lines = chunk.map(({ data }) => `${JSON.stringify(data)}\n`);
  form.append('file', new Blob(lines, { type: 'application/x-ndjson' }), 'items.ndjson');
  return form;
}

function report({
  output,
  made,
  kept,
  failed,
}: {
  output: string;
  made: number;
  kept: number;
  failed: readonly FailedItem[];
}): void {
  for (const { place, file, error } of failed) console.error(printable(`${place} (${file}): ${error}`));
  const parts = [
    `${made} made`,
    ...(kept > 0 ? [`${kept} kept from an earlier run (--overwrite makes them again)`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ];
  console.log(`${output}: ${parts.join(', ')}`);
}

/** Stores the template of a folder with the partials beside it, for the time of the command. */
async function stageWithPartials(client: Client, local: LocalTemplate) {
  const siblings = partialsBeside([local]);
  await stagePartials(client, siblings);
  return stageTemplate(client, local, siblings);
}

async function readStored(client: Client, idOrAlias: string) {
  const { id, options } = await client.json<{ id: string; options: JsonObject | null }>(
    templatePath(idOrAlias),
  );
  return { id, options, [Symbol.asyncDispose]: () => Promise.resolve() };
}

function requireOne(folder: string): LocalTemplate {
  const [template, another] = requireTemplates(folder);
  if (!template || another || template.path !== '.')
    throw new UsageError(`${folder} is not the folder of one template; name a folder with template.html`);
  return template;
}

function requireFolder(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory() && !found.isSymbolicLink())
    throw new UsageError(`${path} is a file; name a folder for the PDFs`);
}
