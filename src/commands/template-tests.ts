import type { Command } from 'commander';
import { serviceOptions, withOptions } from './options.ts';
import type { ServiceOptions } from './service/connect.ts';
import { DEFAULT_FOLDER } from './templates/folder.ts';

interface TestCommand extends ServiceOptions {
  update?: true;
  junit?: string;
  output: string;
  json?: true;
}

/** Adds `platen test`. */
export function addTestCommand(program: Command): void {
  withOptions(
    program
      .command('test')
      .description('print the cases of templates, and compare them with their accepted pages')
      .argument('[folder]', 'the folder of a template, or a folder with such folders', DEFAULT_FOLDER)
      .option('--update', 'accept the pages of cases that are new or different')
      .option('--junit <file>', 'also write a report in the JUnit format')
      .option('--output <folder>', 'the folder for pictures of differences', 'platen-test-results'),
    serviceOptions(),
  ).action(async (folder: string, { update, junit, output, json, ...service }: TestCommand) => {
    const { runTests } = await import('./template-tests/run.ts');
    process.exitCode = await runTests({
      folder,
      junit,
      output,
      service,
      update: update ?? false,
      json: json ?? false,
    });
  });
}
