import { quote } from '../fault.ts';

/** One helper of templates, as it is called, checked and documented. */
export interface TemplateHelper {
  name: string;
  /** Arguments and options as the documentation shows them, without the name: `value currency locale= decimals=`. */
  signature: string;
  /** Says what it gives. */
  sentence: string;
  examples: readonly HelperExample[];
  /** The fewest and the most arguments. */
  takes: readonly [least: number, most: number];
  /** Names of the options (`name=value`). */
  options?: readonly string[];
  /** May open a block, and is then what `if` would be with its value. */
  block?: true;
  /** The markup that `run` returns. Its result is then written unescaped; without this field it is text and is escaped. */
  output?: 'html' | 'css';
  /** @throws {HelperFault} */
  run: (values: readonly unknown[], call: HelperCall) => unknown;
}

/** A template, the data it is rendered with and what comes of it; what an `<svg>` holds is written `…`. */
export interface HelperExample {
  template: string;
  data?: Record<string, unknown>;
  output: string;
}

/** What a helper knows of its call beside its arguments. */
export interface HelperCall {
  /** The options; read with the functions of `arguments.ts`, which see own properties only. */
  options: Readonly<Record<string, unknown>>;
  /** How many UTF-16 code units the helpers may still build in this rendering. */
  room: number;
}

/** Thrown by a helper for arguments that it does not take. The message goes on after `the helper "name" `. */
export class HelperFault extends Error {
  override name = 'HelperFault';
}

/** Refuses a value: `takes …, not …`. */
export function refuse(wanted: string, value: unknown): never {
  throw new HelperFault(`takes ${wanted}, not ${describe(value)}`);
}

/** Names a value for a message, in a few words. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return 'nothing';
}
