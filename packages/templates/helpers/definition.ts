import { quote } from '../fault.ts';

/** A template helper: its implementation, checks and documentation. */
export interface TemplateHelper {
  name: string;
  /**
   * Arguments and options as the documentation shows them, without the name:
   * `value currency locale= decimals=`.
   */
  signature: string;
  /** A description of the result, in Markdown. */
  description: string;
  examples: readonly HelperExample[];
  /** The minimum and maximum number of arguments. */
  argumentCount: readonly [min: number, max: number];
  /** The names of the options (`name=value`). */
  options?: readonly string[];
  /** Whether options may have any name. */
  anyOptions?: true;
  /** The options without which a call is invalid. */
  requiredOptions?: readonly string[];
  /** Whether the helper can open a block, which then works like `if` with its result. */
  block?: true;
  /**
   * The kind of markup that `run` returns, which is not escaped. Without this field the result is text and is
   * escaped.
   */
  output?: 'html' | 'css';
  /** @throws {HelperFault} */
  run: (values: readonly unknown[], call: HelperCall) => unknown;
}

/**
 * A template, its data and its output. The content of `<svg>` is shown as `…`, and so are its attributes
 * after the size.
 */
export interface HelperExample {
  template: string;
  data?: Record<string, unknown>;
  output: string;
}

/** The language of one rendering, as helpers use it. */
export interface RenderLanguage {
  /** The locale of the formatting helpers; `undefined` for that of templates without a language. */
  readonly locale: string | undefined;
  /** Whether the template has messages. */
  readonly isTranslated: boolean;
  /**
   * Returns the text of a message, which is not escaped; its name if it, or one of its arguments, is missing.
   * @throws {HelperFault} for a value that does not fit its argument
   */
  translate(name: string, call: HelperCall): string;
  /**
   * Returns the text of a message that replaces a built-in label; `undefined` if there is none. Arguments
   * without a value stay as they are written.
   */
  label(name: string, call: HelperCall): string | undefined;
  /** Tells whether there are messages in the language of a canonical locale. */
  hasMessages(locale: string): boolean;
}

/** The call of a helper, except its arguments. */
export interface HelperCall {
  /** The options. Read them with the functions of `arguments.ts`, which see only own properties. */
  options: Readonly<Record<string, unknown>>;
  /** The data of the template. Read it with `fieldOf`, which sees only own properties. */
  root: unknown;
  /** The language of the rendering. */
  language?: RenderLanguage | undefined;
  /** The number of UTF-16 code units that helpers may still produce in this rendering. */
  remainingLength: number;
}

/** Thrown by a helper for invalid arguments. The message follows `the helper "name" `. */
export class HelperFault extends Error {
  override name = 'HelperFault';
}

/** Rejects a value with the message `takes …, not …`. */
export function reject(expected: string, value: unknown): never {
  throw new HelperFault(`takes ${expected}, not ${describe(value)}`);
}

/** Describes a value for a message in a few words. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return 'nothing';
}
