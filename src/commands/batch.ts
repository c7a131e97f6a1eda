import type { Command } from 'commander';
import { UsageError } from './failures.ts';
import { serviceOptions, withOptions } from './options.ts';
import type { ServiceOptions } from './service/connect.ts';

interface BatchCommand extends ServiceOptions {
  template?: string;
  output: string;
  name?: string;
  overwrite?: true;
  json?: true;
}

/** Adds `platen batch`. */
export function addBatchCommand(program: Command): void {
  withOptions(
    program
      .command('batch')
      .description('make a PDF for each item of a data file')
      .argument(
        '<files...>',
        'the folder of a template, unless --template is given, and a .json, .ndjson or .csv file',
      )
      .option('--template <id>', 'the id or alias of a template that the service has')
      .option('-o, --output <folder>', 'the folder for the PDFs', 'platen-batch')
      .option('--name <field>', 'the field whose value names the PDF, such as number or customer.name')
      .option('--overwrite', 'make also the PDFs that the folder already has'),
    serviceOptions(),
  ).action(async (files: string[], { template, output, name, overwrite, json, ...service }: BatchCommand) => {
    const { folder, data } = readArguments(files, template);
    const { runBatch } = await import('./batch/run.ts');
    process.exitCode = await runBatch({
      folder,
      template,
      data,
      output,
      name,
      service,
      overwrite: overwrite ?? false,
      json: json ?? false,
    });
  });
}

function readArguments(
  files: readonly string[],
  template: string | undefined,
): { folder: string | undefined; data: string } {
  const expected = template === undefined ? 2 : 1;
  if (files.length !== expected)
    throw new UsageError(
      template === undefined
        ? 'name the folder of a template and a data file, or --template and a data file'
        : 'with --template, name only a data file',
    );
  const [first = '', second] = files;
  return second === undefined ? { folder: undefined, data: first } : { folder: first, data: second };
}
