import { writeFile } from 'node:fs/promises';
import type { Sandbox } from '../../../src/plugin.ts';
import { messageOf } from '../../../src/plugin.ts';
import { startBrowser } from './browser.ts';
import { convert } from './convert.ts';
import { HELP } from './help.ts';
import { LoadError } from './load-error.ts';
import { ArgumentError, parseArguments, type ParsedArguments } from './parse-arguments.ts';
import { splitLine } from './split-line.ts';

/** What the command gets from `platen`. */
export interface CommandContext {
  args: readonly string[];
  /** Starts the sandbox, which the command closes. */
  openSandbox: (modules: readonly URL[]) => Promise<Sandbox>;
  /** Reads an environment variable. */
  env: (name: string) => string | undefined;
}

/** Wrappers read the version to learn which flags exist. */
const VERSION = 'wkhtmltopdf 0.12.6 (with patched qt)';
const NOT_FOUND = 404;
const UNAUTHORIZED = 401;

/** Runs `platen wkhtmltopdf`. Returns the exit status of wkhtmltopdf. */
export async function run({ args, ...context }: CommandContext): Promise<number> {
  if (args.some((argument) => argument === '--version' || argument === '-V')) {
    console.log(VERSION);
    return 0;
  }
  if (args.some((argument) => ['--help', '-h', '--extended-help', '-H'].includes(argument))) {
    console.log(HELP);
    return 0;
  }
  try {
    const parsed = parseArguments(args);
    return parsed.document.readsArguments
      ? await runLines(args, context)
      : await convertOnce(parsed, context);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    console.error(`${error.message}\n\nRun platen wkhtmltopdf --help for the flags.`);
    return 1;
  }
}

/** Converts each line of standard input. Returns the first exit status that is not 0. */
async function runLines(args: readonly string[], context: Omit<CommandContext, 'args'>): Promise<number> {
  const shared = args.filter((argument) => argument !== '--read-args-from-stdin');
  let status = 0;
  for (const line of (await Bun.stdin.text()).split('\n')) {
    if (line.trim() === '') continue;
    const result = await convertOnce(parseArguments([...shared, ...splitLine(line)]), context);
    status ||= result;
  }
  return status;
}

async function convertOnce(
  parsed: ParsedArguments,
  { openSandbox, env }: Omit<CommandContext, 'args'>,
): Promise<number> {
  const { document, objects, output } = parsed;
  const say = (message: string) => {
    if (!document.quiet) console.error(message);
  };
  const warn = (message: string) => say(`Warning: ${message}`);
  for (const name of parsed.ineffective) warn(`${name} has no effect`);
  await using opened = new AsyncDisposableStack();
  try {
    const starting = startBrowser(objects, {
      chromiumPath: env('CHROMIUM_PATH'),
      fontConfig: env('RENDER_FONT_CONFIG'),
    });
    // The browser is closed even if the sandbox does not start.
    opened.defer(async () => (await starting.catch(() => undefined))?.close());
    const sandbox = await openSandbox([new URL('./task.ts', import.meta.url)]);
    opened.defer(() => sandbox.close());
    const browser = await starting;
    onSignal(() => browser.kill());
    const readInput = async () => new Uint8Array(await Bun.stdin.arrayBuffer());
    const pdf = await convert(parsed, { browser, sandbox, readInput, progress: say, warn });
    await write(output, pdf);
    say('Done');
    return 0;
  } catch (error) {
    const { status, reason } = explain(error);
    // Wrappers look for these two lines.
    console.error(`Error: ${messageOf(error)}\nExit with code ${status} due to ${reason}`);
    return status;
  }
}

function explain(error: unknown): { status: number; reason: string } {
  if (!(error instanceof LoadError)) return { status: 1, reason: 'unknown error.' };
  const { status, explanation } = error;
  const exit = status === NOT_FOUND ? 2 : status === UNAUTHORIZED ? 3 : 1;
  return { status: exit, reason: explanation };
}

async function write(output: string, pdf: Uint8Array): Promise<void> {
  if (output === '-') {
    await Bun.write(Bun.stdout, pdf);
    return;
  }
  await writeFile(output, pdf).catch((cause: unknown) => {
    throw new Error(`Unable to write to destination (${messageOf(cause)})`, { cause });
  });
}

/** Ends the browser together with the command, whose caller may have given up. */
function onSignal(stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => {
      stop();
      process.exit(1);
    });
}
