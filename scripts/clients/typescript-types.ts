/**
 * Creates `clients/typescript/src/types.gen.ts`: the types of the API, which @hey-api/openapi-ts writes, and a
 * list of all routes. `npm run openapi` writes it.
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../setup.mjs';
import { pascalCase } from '../../src/http/sdk-document/words.ts';
import {
  clientDocument,
  eventsOf,
  FILE_DATA,
  jsonOf,
  operationsOf,
  referenceOf,
  type ClientDocument,
  type Operation,
} from './client-document.ts';

const PDF_ROUTE = 'POST /v1/pdf/';

/** Returns the types as the text of a module. */
export function typescriptTypes(sdkDocument: ClientDocument): string {
  const document = clientDocument(sdkDocument);
  const folder = mkdtempSync(join(tmpdir(), 'platen-types-'));
  try {
    const input = join(folder, 'openapi.json');
    writeFileSync(input, JSON.stringify(document));
    const config = join(folder, 'config.mjs');
    const options = {
      input,
      output: { path: join(folder, 'types') },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    };
    writeFileSync(config, `export default ${JSON.stringify(options)};\n`);
    const { exitCode, stderr } = Bun.spawnSync(['node', toolPath('openapi-ts'), '--file', config], {
      cwd: folder,
      stderr: 'pipe',
    });
    if (exitCode !== 0) throw new Error(`@hey-api/openapi-ts failed: ${stderr.toString()}`);
    const text = `export type ${FILE_DATA} = string;`;
    const written = readFileSync(join(folder, 'types', 'types.gen.ts'), 'utf8');
    if (!written.includes(text)) throw new Error(`@hey-api/openapi-ts wrote no ${FILE_DATA}`);
    const types = written.replace(text, text.replace('string', 'string | Blob | ArrayBuffer | Uint8Array'));
    return `// Written by \`npm run openapi\`.\nimport type { Download } from './download.ts';\n\n${types}\n${events(document)}\n${filters(document)}\n${pdfRequests(document)}\n${routes(document)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function events(document: ClientDocument): string {
  return `/** A message to a webhook. */\nexport type WebhookEvent = ${eventsOf(document).join(' | ')};\n`;
}

/** Writes the list of routes, with the names that the generator gives to their types. */
function routes(document: ClientDocument): string {
  const lines = operationsOf(document).map(({ route, operation }) => {
    const { operationId, summary } = operation;
    const name = pascalCase(operationId);
    return `    /** ${summary}. */\n    '${route}': { data: ${name}Data; result: ${resultOf(operation, document)} };\n`;
  });
  return `/** Every route with its parameters and its result. */\nexport type Routes = {\n${lines.join('')}};

/** The routes of one record. */
export type RouteOfId = {
    [Route in keyof Routes]: Routes[Route]['data'] extends { path: { id: string }; body?: never } ? Route : never;
}[keyof Routes];

/** The routes of lists that are read in pages. */
export type RouteOfList = {
    [Route in keyof Routes]: Routes[Route] extends { data: { path?: never; query?: { starting_after?: string } }; result: Page<unknown> } ? Route : never;
}[keyof Routes];

/** The filters of a list. */
export type Filters<Route extends RouteOfList> = Omit<NonNullable<Routes[Route]['data']['query']>, Position>;

/** The entries of a list. */
export type Entry<Route extends RouteOfList> = Routes[Route]['result']['data'][number];\n`;
}

/** Writes the requests of operations on PDFs. */
function pdfRequests(document: ClientDocument): string {
  const lines = operationsOf(document).flatMap(({ route, operation: { requestBody, summary } }) => {
    const name = route.startsWith(PDF_ROUTE) ? route.slice(PDF_ROUTE.length) : undefined;
    const request = referenceOf(jsonOf(requestBody));
    if (name === undefined || request === undefined) return [];
    return `    /** ${summary}. */\n    '${name}': ${request};\n`;
  });
  return `/** The requests of the operations on PDFs, by the end of their paths. */\nexport type PdfRequests = {\n${lines.join('')}};\n`;
}

/** Writes the filters of the lists, and the number of entries that are read at a time. */
function filters(document: ClientDocument): string {
  const lines = operationsOf(document).flatMap(({ operation: { operationId, parameters = [] } }) => {
    if (!parameters.some(({ name }) => name === 'starting_after')) return [];
    const name = pascalCase(operationId);
    return `/** The filters of a list. */\nexport type ${name}Filters = Omit<NonNullable<${name}Data['query']>, Position>;\n`;
  });
  return [
    '/** A page of a list. */\nexport type Page<T> = { data: Array<T>; has_more: boolean; total?: number };\n',
    "type Position = 'offset' | 'starting_after' | 'ending_before' | 'include';\n",
    ...lines,
  ].join('\n');
}

/** Writes the type of a result. Every record of a file can be downloaded. */
function resultOf(
  { operationId, responses }: Operation,
  { components: { schemas } }: ClientDocument,
): string {
  const isFile = (name: string | undefined) => {
    const properties = schemas[name ?? '']?.properties ?? {};
    return 'file_size' in properties && ('id' in properties || 'file_id' in properties);
  };
  const [response] = Object.values(responses);
  const name = referenceOf(jsonOf(response));
  if (isFile(name)) return `${name} & Download`;
  const entry = referenceOf(schemas[name ?? '']?.properties?.['data']?.items);
  return isFile(entry) ? `Page<${entry} & Download>` : `${pascalCase(operationId)}Response`;
}
