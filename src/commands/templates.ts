import type { Command } from 'commander';
import { withOptions, serviceOptions } from './options.ts';
import { connectTo, type ServiceOptions } from './service/connect.ts';
import { DEFAULT_FOLDER } from './templates/folder.ts';

interface Shared extends ServiceOptions {
  json?: true;
}

interface CheckCommand extends Shared {
  chromium: string;
  starters?: true;
  output: string;
}

const FOLDER = 'a folder with a folder for each template, or one such folder';

/** Adds `platen templates`, which keeps templates in a folder, such as one in git. */
export function addTemplateCommands(program: Command): void {
  const templates = program
    .command('templates')
    .description('keep the templates of a service in a folder, such as one in git');

  withOptions(
    templates
      .command('pull')
      .description('write the templates of a service to a folder')
      .argument('[folder]', FOLDER, DEFAULT_FOLDER)
      .option('--template <id...>', 'only these templates, by id or alias')
      .option('--force', 'replace also templates that have changed in the folder'),
    serviceOptions('the address of the service'),
  ).action(async (folder: string, options: Shared & { template?: string[]; force?: true }) => {
    const { pull } = await import('./templates/pull.ts');
    const { template: selected = [], force = false, json = false } = options;
    process.exitCode = await pull(connectTo(options), { folder, selected, force, json });
  });

  withOptions(
    templates
      .command('push')
      .description('store the changed templates of a folder on a service, after a question')
      .argument('[folder]', FOLDER, DEFAULT_FOLDER)
      .option('--yes', 'push without a question')
      .option('--draft', 'store drafts, which do not change the current versions'),
    serviceOptions('the address of the service'),
  ).action(async (folder: string, options: Shared & { yes?: true; draft?: true }) => {
    const { push } = await import('./templates/push.ts');
    const { yes = false, draft: isDraft = false, json = false } = options;
    process.exitCode = await push(connectTo(options), { folder, yes, isDraft, json });
  });

  withOptions(
    templates
      .command('diff')
      .description('print what a push would change; ends with 1 if there are differences')
      .argument('[folder]', FOLDER, DEFAULT_FOLDER),
    serviceOptions('the address of the service'),
  ).action(async (folder: string, options: Shared) => {
    const { diff } = await import('./templates/diff.ts');
    process.exitCode = await diff(connectTo(options), { folder, json: options.json ?? false });
  });

  withOptions(
    templates
      .command('check')
      .description('print the cases of templates with another Chromium, and list the pages that change')
      .argument('[folder]', `${FOLDER}; without it, the templates of the service, or of ${DEFAULT_FOLDER}`)
      .requiredOption('--chromium <path>', 'the program of the other Chromium')
      .option('--starters', 'check the built-in starters')
      .option('--output <folder>', 'the folder for pictures of differences', 'platen-browser-check'),
    serviceOptions('the address of a service whose templates are checked'),
  ).action(async (folder: string | undefined, options: CheckCommand) => {
    const { checkBrowser } = await import('./browser-check/run.ts');
    const { chromium, starters = false, output, json = false, ...service } = options;
    process.exitCode = await checkBrowser({ chromium, folder, starters, output, json, service });
  });
}
