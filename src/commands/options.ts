import { InvalidArgumentError, Option, type Command } from 'commander';
import { PLAN_NAMES } from '../accounts/plans.ts';

/** Creates the required option `--email`. */
export function emailOption(): Option {
  return new Option('--email <address>', 'the email address of the account')
    .argParser(readEmail)
    .makeOptionMandatory();
}

/** Creates the option `--plan`. */
export function planOption(text: string): Option {
  return new Option('--plan <name>', text).choices(PLAN_NAMES);
}

export function readEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > 254)
    throw new InvalidArgumentError('It must be an email address.');
  return text;
}

export function readList(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}

/** The options of commands that use a service. */
export function serviceOptions(
  server = 'the address of a service; without it, the command starts one',
): Option[] {
  return [
    new Option('--server <url>', server).env('PLATEN_URL'),
    new Option('--key <key>', 'an API key of that service').env('PLATEN_API_KEY'),
    jsonOption(),
  ];
}

/** Creates the option `--json`. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON object for scripts, also for a failure');
}

/** Adds options to a command. */
export function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option);
  return command;
}
