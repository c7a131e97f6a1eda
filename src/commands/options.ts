import { InvalidArgumentError, Option } from 'commander';
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
