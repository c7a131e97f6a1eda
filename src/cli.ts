#!/usr/bin/env -S bun --no-install --no-env-file
import { Command, Option, type CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { PlanName } from './accounts/plans.ts';
import { addAccountCommands } from './commands/accounts.ts';
import { addBatchCommand } from './commands/batch.ts';
import { addKeyCommands } from './commands/keys.ts';
import {
  CommandError,
  EXIT_STATUS,
  presentFailure,
  unexpectedFailure,
  UsageError,
} from './commands/failures.ts';
import { emailOption, planOption, readList } from './commands/options.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDevCommand } from './commands/dev/command.ts';
import { addRenderCommand } from './commands/render.ts';
import { addTestCommand } from './commands/template-tests.ts';
import { addTemplateCommands } from './commands/templates.ts';
import { addValidateCommand } from './commands/validate.ts';
import {
  findOrCreateAccount,
  onlyAccount,
  recorded,
  unknownAccount,
  withAccounts,
  withAssembly,
} from './commands/work.ts';
import { ConfigError, loadConfig, readEnv } from './config.ts';
import { listen, ListenError } from './listen/listen.ts';
import type { Services } from './plugin.ts';
import { openWebhookSecrets } from './state.ts';
import { StoreUnavailableError } from './store/store.ts';
import { WebhookSecretError } from './webhooks/signing-secret.ts';

interface ListenCommand {
  forward: string;
  events?: string[];
  server: string | undefined;
  key: string | undefined;
}

/** The commands that run and manage a service. Scripts know 1 as their status for every failure. */
const MANAGEMENT = ['accounts', 'doctor', 'keys', 'listen', 'serve', 'studio', 'webhooks'];

/** Returns the exit status of a failure of the command that runs. */
function statusOf(status: number): number {
  return MANAGEMENT.includes(process.argv[2] ?? '') ? 1 : status;
}

/** Tells whether the command ends with 1 after every failure, as scripts of 0.1.0 expect. */
function hasOneStatus(): boolean {
  return [...MANAGEMENT, 'wkhtmltopdf'].includes(process.argv[2] ?? '');
}

/** Returns a failure as the commands that work with documents report it. */
function failureOf(error: unknown): unknown {
  if (hasOneStatus() || isExpected(error)) return error;
  if (readEnv('PLATEN_DEBUG') === '1') console.error(error);
  return unexpectedFailure(error);
}

function isExpected(error: unknown): error is Error {
  return (
    error instanceof ConfigError ||
    error instanceof CommandError ||
    error instanceof ListenError ||
    error instanceof StoreUnavailableError ||
    error instanceof WebhookSecretError
  );
}

/** Ends the command after its help, its version or an error of the parser, which has printed them. */
function endByParser({ exitCode, code, message }: CommanderError): never {
  if (exitCode === 0) process.exit(0);
  const fault =
    code === 'commander.help'
      ? 'a command is missing'
      : message.replace(/^error: /, '').replaceAll('\n', ' ');
  if (isJson()) console.log(JSON.stringify(presentFailure(new UsageError(fault))));
  process.exit(statusOf(EXIT_STATUS.usage));
}

function isJson(): boolean {
  return process.argv.includes('--json');
}

const program = new Command('platen')
  .description('Self-hosted PDF service.')
  .version(packageJson.version)
  .enablePositionalOptions()
  .exitOverride(endByParser)
  .showHelpAfterError('(add --help for usage)');

program
  .command('serve')
  .description('run the service until SIGTERM or SIGINT')
  .action(async () => {
    const { serve } = await import('./main.ts');
    await serve();
  });

program
  .command('doctor')
  .description('check Chromium, fonts, the store, the file store, the sandbox and the egress guard')
  .action(async () => {
    const { examine } = await import('./doctor.ts');
    const { report, healthy } = await examine(loadConfig());
    console.log(report);
    if (!healthy) process.exitCode = 1;
  });

addAccountCommands(program);
addKeyCommands(program);
addRenderCommand(program);
addTemplateCommands(program);
addTestCommand(program);
addBatchCommand(program);
addDevCommand(program);
addValidateCommand(program);

const webhooksCommand = program.command('webhooks').description('manage the secrets that sign webhooks');

webhooksCommand
  .command('secret')
  .description("print the secret that signs an account's webhooks")
  .addOption(emailOption().makeOptionMandatory(false))
  .option('--rotate', 'create a new secret; for 24 hours, both secrets sign')
  .action(({ email: address, rotate }: { email?: string; rotate?: boolean }) =>
    withAccounts(async ({ accounts, audit, config, store }) => {
      const account = await (address === undefined ? onlyAccount(accounts) : accounts.findByEmail(address));
      if (!account) throw await unknownAccount(accounts, address);
      const secrets = await openWebhookSecrets(config, store);
      const action = rotate ? 'webhook_secret.rotated' : 'webhook_secret.read';
      const change = { account: account.id, action, target: account.id } as const;
      const secret = await recorded(audit, 'webhooks secret', [change], async () =>
        rotate ? secrets.rotate(account.id) : (await secrets.read(account.id))[0],
      );
      console.log(secret);
    }),
  );

program
  .command('listen')
  .description('send the events of an account, as they happen, to a program on this machine')
  .requiredOption('--forward <url>', 'the URL of the program, such as http://localhost:8080/hook')
  .option('--events <list>', 'only these types, such as generation.*,batch.completed', readList)
  .addOption(new Option('--server <url>', 'the address of the service').env('PLATEN_URL'))
  .addOption(new Option('--key <key>', 'an API key with the scope webhooks').env('PLATEN_API_KEY'))
  .action(({ events = [], ...options }: ListenCommand) =>
    listen({
      ...options,
      events,
      print: (line) => console.log(line),
      signal: new AbortController().signal,
    }),
  );

program
  .command('wkhtmltopdf')
  .description('print web pages and local files to a PDF, with the flags of wkhtmltopdf; needs no service')
  .helpOption(false)
  .allowUnknownOption()
  .passThroughOptions()
  .argument('[arguments...]')
  .action(async () => {
    const { runPluginCommand } = await import('./commands/plugin-command.ts');
    process.exitCode = await runPluginCommand('wkhtmltopdf', process.argv.slice(3));
  });

const studioCommand = program.command('studio').description('manage sign-ins to the web application');

studioCommand
  .command('link')
  .description(
    'print a link that signs an account in once within 24 hours; creates the account if it does not exist',
  )
  .addOption(emailOption())
  .addOption(planOption('the plan of a new account').default('free'))
  .option('--operator', 'also allow the account to manage all accounts')
  .action(({ email: address, plan: name, operator }: { email: string; plan: PlanName; operator?: true }) =>
    withAssembly(loadConfig(), async ({ accounts, audit, registry }, { publicUrl, port }) => {
      const studio = registry.services['studio'] as Services['studio'] | undefined;
      if (!studio) throw new UsageError('the studio plugin is off');
      const member = await studio.findMember(address);
      const owner = { email: address, plan: name };
      const account =
        member?.accountId ?? (await findOrCreateAccount({ accounts, audit }, 'studio link', owner)).id;
      const target = member?.userId ?? account;
      const { url } = await recorded(
        audit,
        'studio link',
        [{ account, action: 'link.created', target }],
        () =>
          studio.createLink(account, {
            ...(member && { userId: member.userId }),
            role: operator && 'operator',
            baseUrl: publicUrl ?? `http://localhost:${port}`,
          }),
      );
      console.log(url);
    }),
  );

addCompletionCommand(program);

try {
  await program.parseAsync();
  // An open handle must not keep a finished command or a drained service running.
  process.exit();
} catch (thrown) {
  const error = failureOf(thrown);
  if (error instanceof CommandError && isJson()) console.log(JSON.stringify(presentFailure(error)));
  console.error(isExpected(error) ? `platen: ${error.message}` : error);
  if (error instanceof CommandError) process.exit(statusOf(error.exitStatus));
  process.exit(hasOneStatus() ? 1 : EXIT_STATUS.usage);
}
