// Loaded after the first print, because it includes the parser of Handlebars.
import { parseSyntax } from '@platen/templates/handlebars-parser';

/** A place at which a template reads a value that the sample data lacks. */
export interface MissingVariable {
  /** The offsets of the name in the template. */
  from: number;
  to: number;
  /** The name as the template writes it. */
  name: string;
  /** The line, counted from 1. */
  line: number;
  /** The names from the root of the data. `*` stands for each element of a list. */
  path: readonly string[];
}

/** The kind of a value, as the helper that reads it tells. */
export type ValueKind = 'date' | 'list' | 'number';

/** The values that a template reads. */
export interface Reads {
  /** The values that the sample data lacks, in the order of the template. */
  missing: readonly MissingVariable[];
  /** The paths of all values. */
  paths: readonly (readonly string[])[];
  /** The kinds of values, by their paths joined with `keyOf`. */
  kinds: ReadonlyMap<string, ValueKind>;
}

/** The values that the HTML of a template reads. */
export interface CheckedHtml {
  /** The HTML to which the offsets refer. */
  html: string;
  reads: Reads | undefined;
}

/** The longest template that is checked, in characters. */
const MAX_CHARACTERS = 100_000;

/**
 * Lists the values that a template reads. `helpers` are the names of all helpers. Returns undefined for a
 * template that does not parse.
 */
export function readsOf(from: {
  source: string;
  data: unknown;
  helpers: ReadonlySet<string>;
}): Reads | undefined {
  if (from.source.length > MAX_CHARACTERS) return undefined;
  let program: hbs.AST.Program;
  try {
    program = parseSyntax(from.source);
  } catch {
    // The preview reports the fault.
    return undefined;
  }
  const finder = new Finder(from);
  finder.program(program);
  return { missing: finder.missing, paths: [...finder.paths.values()], kinds: finder.kinds };
}

/** Returns a text that identifies a path. */
export function keyOf(path: readonly string[]): string {
  return path.join('\0');
}

/**
 * What `this` can be: the values that the sample data has at a path, such as all elements of a list. Without
 * values, nothing is known, and nothing is missing.
 */
interface Context {
  path: readonly string[];
  values: readonly unknown[];
}

const UNKNOWN: Context = { path: ['?'], values: [] };

/** Returns the kind of the first argument of a helper or, for arithmetic, of all arguments. */
function kindOf(helper: string, index: number): ValueKind | undefined {
  if (LISTS.has(helper)) return index === 0 ? 'list' : undefined;
  if (ARITHMETIC.has(helper)) return 'number';
  if (index > 0) return undefined;
  return { formatDate: 'date', formatCurrency: 'number', formatNumber: 'number' }[helper] as
    | ValueKind
    | undefined;
}

const LISTS = new Set(['sum', 'taxesByRate', 'join', 'length', 'first', 'last']);
const ARITHMETIC = new Set(['inc', 'dec', 'add', 'subtract', 'multiply', 'divide', 'round', 'min', 'max']);

/** Helpers whose arguments may be missing. */
const TESTS = new Set(['if', 'unless', 'and', 'or', 'not', 'default', 'eq', 'ne']);

interface Call {
  path: hbs.AST.Expression;
  params: hbs.AST.Expression[];
  hash?: hbs.AST.Hash;
}

class Finder {
  readonly missing: MissingVariable[] = [];
  readonly paths = new Map<string, readonly string[]>();
  readonly kinds = new Map<string, ValueKind>();
  readonly #helpers: ReadonlySet<string>;
  readonly #lineStarts = [0];
  readonly #root: Context;
  /** The contexts of the surrounding blocks, innermost last. */
  readonly #contexts: Context[];
  /** Block parameters in scope. A name without a context is an index. */
  readonly #names: Map<string, Context>[] = [];
  /** The paths of missing values that surrounding conditions test. */
  readonly #tested: string[] = [];

  constructor({ source, data, helpers }: { source: string; data: unknown; helpers: ReadonlySet<string> }) {
    this.#helpers = helpers;
    this.#root = { path: [], values: [data] };
    this.#contexts = [this.#root];
    // The parser counts lines in this way.
    for (const match of source.matchAll(/\r\n?|\n/g)) this.#lineStarts.push(match.index + match[0].length);
  }

  program(program: hbs.AST.Program | undefined): void {
    for (const statement of program?.body ?? []) {
      if (statement.type === 'MustacheStatement') this.#mustache(statement as hbs.AST.MustacheStatement);
      else if (statement.type === 'BlockStatement') this.#block(statement as hbs.AST.BlockStatement);
      else if (statement.type === 'PartialStatement') this.#arguments(statement as hbs.AST.PartialStatement);
      else if (statement.type === 'PartialBlockStatement' || statement.type === 'DecoratorBlock')
        this.#elsewhere(statement as hbs.AST.PartialBlockStatement);
    }
  }

  #mustache(mustache: hbs.AST.MustacheStatement): void {
    if (this.#isCall(mustache)) this.#call(mustache);
    else this.#read(mustache.path);
  }

  /** Reads the content of a partial block or an inline partial, whose context is that of its call. */
  #elsewhere(block: hbs.AST.PartialBlockStatement): void {
    if (block.type === 'PartialBlockStatement') this.#arguments(block);
    this.#inside([UNKNOWN], block.program);
  }

  #block(block: hbs.AST.BlockStatement): void {
    const isCall = this.#isCall(block);
    const name = isCall ? nameOf(block.path) : '';
    const [subject] = block.params;
    if (!isCall) {
      // `{{#name}}` includes its content only if the value exists.
      const value = this.#resolve(block.path);
      this.#testing([block.path], () => {
        this.#inside([value && hasField(block.path) ? rowsOf(value, 'section') : UNKNOWN], block.program);
        this.program(block.inverse);
      });
    } else if ((name === 'each' || name === 'with') && subject) {
      const value = this.#argument(subject, block.inverse !== undefined) ?? UNKNOWN;
      const inner = name === 'each' ? rowsOf(value, 'each') : value;
      const [first, ...others] = block.program.blockParams ?? [];
      const names = new Map(others.map((other) => [other, UNKNOWN]));
      if (first !== undefined) names.set(first, inner);
      // Handlebars does not enter a context that is the same as the outer one.
      this.#inside(isThis(subject) && name === 'with' ? [] : [inner], block.program, names);
      this.program(block.inverse);
    } else {
      this.#call(block);
      const tests = name === 'if' || name === 'unless' ? block.params : [];
      this.#testing(tests, () => {
        this.program(block.program);
        this.program(block.inverse);
      });
    }
  }

  #inside(contexts: Context[], program: hbs.AST.Program, names = new Map<string, Context>()): void {
    this.#contexts.push(...contexts);
    this.#names.push(names);
    this.program(program);
    this.#names.pop();
    this.#contexts.length -= contexts.length;
  }

  /** Reads the content of a condition, in which the values that it tests may be missing. */
  #testing(tests: readonly hbs.AST.Expression[], content: () => void): void {
    const before = this.#tested.length;
    for (const test of tests) this.#addTested(test);
    content();
    this.#tested.length = before;
  }

  #addTested(test: hbs.AST.Expression): void {
    if (test.type === 'SubExpression')
      for (const param of (test as hbs.AST.SubExpression).params) this.#addTested(param);
    else if (isPath(test)) {
      const value = this.#resolve(test);
      if (value && value.values.length === 0) this.#tested.push(keyOf(value.path));
    }
  }

  #call(call: Call): void {
    this.#arguments(call, TESTS.has(nameOf(call.path)));
  }

  #arguments(
    { params, hash, path }: Pick<Call, 'params' | 'hash'> & { path?: hbs.AST.Expression },
    mayBeMissing = false,
  ): void {
    for (const [index, param] of params.entries()) {
      const value = this.#argument(param, mayBeMissing);
      const kind = path && kindOf(nameOf(path), index);
      if (value && kind) this.kinds.set(keyOf(value.path), kind);
    }
    for (const { value } of hash?.pairs ?? []) this.#argument(value, mayBeMissing);
  }

  /** Reads an argument. Returns its value if it is a path. */
  #argument(argument: hbs.AST.Expression, mayBeMissing: boolean): Context | undefined {
    if (argument.type === 'SubExpression') {
      const call = argument as hbs.AST.SubExpression;
      this.#arguments(call, mayBeMissing || TESTS.has(nameOf(call.path)));
      return undefined;
    }
    if (!isPath(argument)) return undefined;
    return mayBeMissing ? this.#resolve(argument) : this.#read(argument);
  }

  /** Reads a path, and records it if the data lacks it. */
  #read(expression: hbs.AST.Expression): Context | undefined {
    const value = this.#resolve(expression);
    if (!value) return undefined;
    const key = keyOf(value.path);
    this.paths.set(key, value.path);
    if (value.values.length > 0 || !value.isKnown) return value;
    if (this.#tested.some((tested) => key === tested || key.startsWith(`${tested}\0`))) return value;
    const { start, end } = expression.loc;
    this.missing.push({
      from: this.#offsetOf(start),
      to: this.#offsetOf(end),
      name: nameOf(expression),
      line: start.line,
      path: value.path,
    });
    return value;
  }

  /** Resolves a path. `isKnown` is false if the data does not tell whether the value exists. */
  #resolve(expression: hbs.AST.Expression): (Context & { isKnown: boolean }) | undefined {
    if (!isPath(expression)) return undefined;
    const parts = [...expression.parts];
    const base = this.#base(expression, parts);
    if (!base) return undefined;
    let values = base.values;
    let isKnown = values.length > 0;
    for (const part of parts) {
      const owners = values.filter((value) => value !== null && value !== undefined);
      // Nothing is known about the fields of `null`.
      if (owners.length === 0) isKnown = false;
      values = owners.flatMap((owner) =>
        Object.hasOwn(Object(owner) as object, part) ? [Reflect.get(Object(owner) as object, part)] : [],
      );
      if (values.length === 0) break;
    }
    return { path: [...base.path, ...parts], values, isKnown };
  }

  /**
   * Resolves the beginning of a path, and removes the parts that name it. Returns undefined for values that
   * are not data.
   */
  #base(path: hbs.AST.PathExpression, parts: string[]): Context | undefined {
    if (path.data) return parts.shift() === 'root' ? this.#root : undefined;
    if (path.depth > 0) return this.#contexts.at(-1 - path.depth) ?? UNKNOWN;
    const names = this.#names.findLast((each) => each.has(parts[0] ?? ''));
    if (!names || /^(?:\.|this\b)/.test(path.original)) return this.#contexts.at(-1);
    return names.get(parts.shift() ?? '');
  }

  #isCall(call: Call): boolean {
    if (call.params.length > 0 || call.hash) return true;
    const { path } = call;
    if (!isPath(path) || path.data || path.depth > 0 || path.parts.length !== 1) return false;
    const name = nameOf(path);
    if (this.#names.some((names) => names.has(name))) return false;
    return this.#helpers.has(name);
  }

  #offsetOf({ line, column }: hbs.AST.Position): number {
    return (this.#lineStarts[line - 1] ?? 0) + column;
  }
}

/** Returns the elements of lists, or the fields of objects in `{{#each object}}`. */
function rowsOf({ path, values }: Context, block: 'each' | 'section'): Context {
  const isList = values.some(Array.isArray);
  if (block === 'section' && !isList) {
    // `{{#name}}` keeps the outer context if the value is `true`.
    return values.every((value) => typeof value === 'object') ? { path, values } : UNKNOWN;
  }
  const rows = values.flatMap((value): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value) : [],
  );
  return { path: [...path, '*'], values: rows };
}

function isPath(expression: hbs.AST.Expression): expression is hbs.AST.PathExpression {
  return expression.type === 'PathExpression';
}

function hasField(expression: hbs.AST.Expression): boolean {
  return isPath(expression) && expression.parts.length > 0;
}

function isThis(expression: hbs.AST.Expression): boolean {
  return isPath(expression) && !expression.data && expression.depth === 0 && expression.parts.length === 0;
}

function nameOf(expression: hbs.AST.Expression): string {
  return String(Reflect.get(expression, 'original') ?? '');
}
