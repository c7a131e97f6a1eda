import type { Command } from 'commander';
import type { LostReference } from './documents/inline-files.ts';
import { addOption } from './documents/option-values.ts';
import { readDocument, type LocalDocument } from './documents/read-document.ts';
import { checkOutput, writeOutput } from './documents/write-output.ts';
import { CommandError, DocumentError } from './failures.ts';
import { serviceOptions, withOptions } from './options.ts';
import { startProgress } from './progress.ts';
import { readOfficeTemplate } from './templates/office-template.ts';
import { stageTemplate } from './templates/stage.ts';
import { connect, type ServiceOptions } from './service/connect.ts';

/** The options of the commands that read a document. */
export interface DocumentOptions extends ServiceOptions {
  data?: string;
  option?: Record<string, unknown>;
}

interface RenderOptions extends DocumentOptions {
  output: string;
  json?: true;
}

interface Made {
  url: string;
  pages: number;
  file_size: number;
  generation_time_ms: number;
  warnings: readonly { code: string; message: string; path: string | null }[];
}

/** Adds the options that say how a document is read and made. */
export function withDocumentOptions(command: Command): Command {
  return command
    .option('-d, --data <file>', 'a JSON file with the values of the template')
    .option(
      '--option <name=value>',
      'an option of the document, such as format=A4; may be repeated',
      addOption,
    );
}

/** Adds `platen render`. */
export function addRenderCommand(program: Command): void {
  const command = program
    .command('render')
    .description('make a PDF of an HTML, Markdown or JSX file, or of a template folder')
    .argument('<file>', 'the file, the folder of a template, or - for HTML from standard input')
    .requiredOption('-o, --output <file>', 'the PDF to write, or - for standard output');
  withOptions(withDocumentOptions(command), serviceOptions()).action(render);
}

async function render(
  path: string,
  { output, data, option = {}, json, ...service }: RenderOptions,
): Promise<void> {
  checkOutput(output);
  using progress = startProgress();
  progress.show(`rendering ${path}`);
  const input = { path, data, options: option };
  const office = readOfficeTemplate(input);
  const document = office ? undefined : await readDocument(input);
  await using client = await connect(service, { json });
  await using staged = office && (await stageTemplate(client, office.local, []));
  const body = staged ? { ...office?.request, template: staged.id } : document?.request;
  const made = await client
    .json<Made>('POST /v1/generate', { body })
    .catch((error: unknown) => Promise.reject(document ? atSource(error, document) : error));
  await writeOutput(output, await client.bytes(made.url));
  progress[Symbol.dispose]();
  report({ output, made, lost: document?.lost ?? [], json });
}

function report({
  output,
  made: { pages, file_size, generation_time_ms, warnings },
  lost,
  json,
}: {
  output: string;
  made: Made;
  lost: readonly LostReference[];
  json: true | undefined;
}): void {
  // With `-`, standard output has the document.
  const print = output === '-' ? console.error : console.log;
  if (json) {
    const unloaded = lost.map(({ reference, reason, file, line }) => ({ reference, reason, file, line }));
    print(JSON.stringify({ file: output, pages, file_size, generation_time_ms, warnings, unloaded }));
    return;
  }
  for (const reference of lost) console.error(`warning: ${describeLost(reference)}`);
  const known = new Set(lost.map(({ reference }) => reference));
  for (const { path, message } of warnings)
    if (path === null || !known.has(path)) console.error(`warning: ${message}`);
  const count = pages === 1 ? '1 page' : `${pages} pages`;
  print(`${output}: ${count}, ${file_size.toLocaleString('en')} bytes, ${generation_time_ms} ms`);
}

/** Describes a reference to a file that the document does not have. */
export function describeLost({ reference, reason, file, line }: LostReference): string {
  return `${file}:${line}: ${reference} ${
    reason === 'missing' ? 'does not exist' : 'is outside the folder of the document, so it is not read'
  }`;
}

/** A fault at a line of the document's source. */
interface SourceFault {
  file: string;
  line: number;
  column: number | undefined;
  message: string;
}

const PLACE = /\bline (\d+)(?:, column (\d+))?: /;

/** Finds the place of a fault in the files of a document; `undefined` if its message names no line. */
export function faultOf(
  { message }: CommandError,
  { lineOf }: Pick<LocalDocument, 'lineOf'>,
): SourceFault | undefined {
  const match = PLACE.exec(message);
  if (!match) return undefined;
  const [place, line, column] = match;
  const { addedColumns, ...found } = lineOf(Number(line));
  return {
    ...found,
    column: column === undefined ? undefined : Number(column) - addedColumns,
    // The end of a partial is the end of the block that defines it.
    message: message.slice(match.index + place.length).replace(/ is closed by "inline"$/, ' is not closed'),
  };
}

/** Returns a failure whose message begins with the file and the line of the fault, if they are known. */
export function atSource(error: unknown, document: Pick<LocalDocument, 'lineOf'>): unknown {
  if (!(error instanceof DocumentError)) return error;
  const fault = faultOf(error, document);
  if (fault === undefined) return error;
  const { code, details, httpStatus } = error;
  const place = [fault.file, fault.line, fault.column].filter((part) => part !== undefined).join(':');
  return new DocumentError(`${place}: ${fault.message}`, { code, details, httpStatus });
}
