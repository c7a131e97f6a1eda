import Handlebars from 'handlebars';
import { quote, faultAt } from './fault.ts';
import { BUILT_IN_HELPERS, helpersOf, type HelperTable } from './helpers/helper-table.ts';
import { parseSource } from './parser.ts';
import { suggestArguments, SampleNode, type SampleArgument } from './sample.ts';

/** A piece of a template, in source order. */
export type TemplatePiece =
  /** Literal text, after whitespace control. */
  | { kind: 'text'; text: string }
  /** The beginning, the `else` or the end of a block. */
  | { kind: 'edge'; block: number }
  /** A value in the output. */
  | {
      kind: 'value';
      /** Whether `&`, `<`, `>`, quotes and `=` are escaped. */
      escaped: boolean;
      /**
       * Whether the value is a plain field of the data, without helpers or literals, even indirectly through
       * a surrounding block.
       */
      isField: boolean;
      helpers: readonly string[];
      /** String literals in the expression, or in the expression of a block whose value it outputs. */
      literals: readonly string[];
    }
  /** A partial, which outputs pieces of another template. */
  | { kind: 'partial' };

/** The properties of a template, determined without rendering it. */
export interface TemplateInspection {
  pieces: readonly TemplatePiece[];
  /**
   * The distinct names of all fields that the template reads, as written in their blocks but without prefixes
   * such as `this.` and `../`: inside `{{#each items}}` the name is `price`. Excludes helpers and `@index`.
   */
  variables: readonly string[];
  /** The same fields as paths from the root of the data: `items.price`. */
  paths: readonly string[];
  /** Sample data in which every list has rows and every plain condition is true. */
  sample: Record<string, unknown>;
}

/**
 * Inspects a template that compiles.
 * @throws {TemplateFault} if it does not parse, or reads data nested more than 40 levels deep.
 */
export function inspectSource(source: string, isTranslated = false): TemplateInspection {
  // For a syntax tree, Handlebars.parse only applies whitespace control.
  const tree = Handlebars.parse(parseSource(source) as unknown as string);
  return new Inspector(helpersOf(isTranslated)).inspect(tree);
}

/** A value of the data, and its path from the root. Names such as `@index` have no value. */
interface Value {
  node: SampleNode;
  path: readonly string[];
  /**
   * How the value is computed, if it is not data, as in `{{#with "text"}}{{this}}`. Its fields count as data.
   */
  computation?: Computation | undefined;
}

type Computation = Pick<Expression, 'helpers' | 'literals'>;

interface Expression {
  isField: boolean;
  helpers: string[];
  literals: string[];
}

const MAX_PARTS = 30;

class Inspector {
  readonly #helpers: HelperTable;
  readonly #pieces: TemplatePiece[] = [];
  readonly #variables = new Set<string>();
  readonly #paths = new Set<string>();
  readonly #root: Value = { node: new SampleNode(), path: [] };
  /** The contexts of the surrounding blocks, innermost last. */
  readonly #contexts: Value[] = [this.#root];
  /** Block parameters in scope (`as |item index|`); `undefined` for an index. */
  readonly #names: Map<string, Value | undefined>[] = [];
  #blocks = 0;

  constructor(helpers: HelperTable) {
    this.#helpers = helpers;
  }

  inspect(program: hbs.AST.Program): TemplateInspection {
    this.#program(program);
    const sample = this.#root.node.toValue();
    const isObject = typeof sample === 'object' && sample !== null && !Array.isArray(sample);
    return {
      pieces: this.#pieces,
      variables: [...this.#variables],
      paths: [...this.#paths],
      sample: isObject ? (sample as Record<string, unknown>) : {},
    };
  }

  #program(program: hbs.AST.Program | undefined): void {
    for (const statement of program?.body ?? []) this.#statement(statement);
  }

  #statement(statement: hbs.AST.Statement): void {
    switch (statement.type) {
      case 'ContentStatement':
        return void this.#pieces.push({
          kind: 'text',
          text: (statement as hbs.AST.ContentStatement).value,
        });
      case 'CommentStatement':
        return undefined;
      case 'MustacheStatement':
        return this.#mustache(statement as hbs.AST.MustacheStatement);
      case 'BlockStatement':
        return this.#block(statement as hbs.AST.BlockStatement);
      default:
        return void this.#pieces.push({ kind: 'partial' });
    }
  }

  #mustache(mustache: hbs.AST.MustacheStatement): void {
    const expression: Expression = { isField: false, helpers: [], literals: [] };
    if (this.#isHelper(mustache)) this.#call(mustache, expression);
    else {
      const value = this.#resolve(mustache.path);
      value?.node.markWritten();
      expression.isField = !value?.computation;
      include(expression, value?.computation);
    }
    this.#pieces.push({ kind: 'value', escaped: mustache.escaped, ...expression });
  }

  #block(block: hbs.AST.BlockStatement): void {
    const name = this.#isHelper(block) ? nameOf(block.path) : undefined;
    const expression: Expression = { isField: false, helpers: [], literals: [] };
    const [subject] = block.params;
    this.#blocks += 1;
    const edge: TemplatePiece = { kind: 'edge', block: this.#blocks };
    this.#pieces.push(edge);
    const before = this.#contexts.length;
    if (name === undefined || name === 'each') {
      const list = name === undefined ? this.#resolve(block.path) : this.#argument(subject, expression);
      const row = list ? this.#rowOf(list) : unknownValue(expression);
      const around = this.#contexts.slice(-1);
      // If the field is `true`, `{{#field}}` does not change the context.
      this.#contexts.push(name === undefined ? { ...row, computation: join([row, ...around]) } : row);
    } else if (name === 'with') {
      const object = this.#argument(subject, expression);
      this.#contexts.push(object ?? unknownValue(expression));
    } else if (name === 'if' || name === 'unless') {
      this.#argument(subject, expression)?.node.markTested();
    } else this.#call(block, expression);
    // Handlebars outputs the value of this block unescaped.
    if (name === 'lookup') this.#pieces.push({ kind: 'value', escaped: false, ...expression });
    this.#nameContext(block.program?.blockParams ?? [], this.#contexts.length > before);
    this.#program(block.program);
    this.#names.pop();
    // The `else` branch has the outer context.
    this.#contexts.length = before;
    if (block.inverse) {
      this.#pieces.push(edge);
      this.#program(block.inverse);
    }
    this.#pieces.push(edge);
  }

  #rowOf({ node, path, computation }: Value): Value {
    return { node: node.row(), path, computation };
  }

  #nameContext(names: readonly string[], hasContext: boolean): void {
    const [first, ...others] = names;
    const given = new Map<string, Value | undefined>(others.map((name) => [name, undefined]));
    if (first !== undefined) given.set(first, hasContext ? this.#contexts.at(-1) : undefined);
    this.#names.push(given);
  }

  /** Reads a helper call and its arguments. */
  #call(
    { path, params, hash }: Pick<hbs.AST.SubExpression, 'params' | 'hash'> & { path: hbs.AST.Expression },
    expression: Expression,
  ): void {
    const name = nameOf(path);
    expression.helpers.push(name);
    const read = (each: hbs.AST.Expression): SampleArgument => {
      const value = this.#argument(each, expression);
      const literal: unknown = Reflect.get(each, 'value');
      if (typeof literal === 'string' || typeof literal === 'number' || typeof literal === 'boolean')
        return { literal };
      return value ? { node: value.node } : {};
    };
    const args = params.map(read);
    const pairs = hash?.pairs ?? [];
    suggestArguments(name, args, new Map(pairs.map(({ key, value }) => [key, read(value)])));
  }

  /** Reads an argument. Only fields have a known value. */
  #argument(argument: hbs.AST.Expression | undefined, expression: Expression): Value | undefined {
    if (argument?.type === 'SubExpression') this.#call(argument as hbs.AST.SubExpression, expression);
    else if (argument && !isPath(argument)) expression.literals.push(nameOf(argument));
    if (!argument || !isPath(argument)) return undefined;
    const value = this.#resolve(argument);
    include(expression, value?.computation);
    return value;
  }

  #isHelper(call: { path: hbs.AST.Expression; params: unknown[]; hash?: hbs.AST.Hash }): boolean {
    if (call.params.length > 0 || call.hash) return true;
    const name = nameOf(call.path);
    const isSimple = !isPath(call.path) || isSimplePath(call.path);
    if (!isSimple || this.#names.some((names) => names.has(name))) return false;
    return this.#helpers.has(name) || BUILT_IN_HELPERS.has(name);
  }

  /** Resolves a path, and records it as a variable. */
  #resolve(expression: hbs.AST.Expression): Value | undefined {
    // `{{"name"}}` and `{{12}}` are fields too.
    const parts = isPath(expression) ? [...expression.parts] : [nameOf(expression)];
    if (parts.length > MAX_PARTS)
      throw faultAt(`the path ${quote(nameOf(expression))} has more than ${MAX_PARTS} parts`, expression.loc);
    const base = isPath(expression) ? this.#base(expression, parts) : this.#contexts.at(-1);
    if (!base) return undefined;
    const node = base.node.at(parts);
    if (parts.at(-1) === 'length') parts.pop();
    const path = [...base.path, ...parts];
    if (parts.length > 0) this.#variables.add(parts.join('.'));
    if (path.length > 0) this.#paths.add(path.join('.'));
    return { node, path, computation: parts.length === 0 ? base.computation : undefined };
  }

  /** Resolves the beginning of a path, and removes the parts that name it. */
  #base(path: hbs.AST.PathExpression, parts: string[]): Value | undefined {
    if (path.data) return parts.shift() === 'root' ? this.#root : undefined;
    if (path.depth > 0) {
      const context = this.#contexts.at(-1 - path.depth) ?? this.#root;
      // Handlebars does not add a context equal to the outer one, as in `{{#with this}}`, so `..` may be
      // further up.
      return { ...context, computation: join(this.#contexts) };
    }
    const names = this.#names.findLast((each) => each.has(parts[0] ?? ''));
    if (!names || /^(\.|this\b)/.test(path.original)) return this.#contexts.at(-1);
    return names.get(parts.shift() ?? '');
  }
}

function unknownValue(computation: Computation): Value {
  return { node: new SampleNode(), path: ['?'], computation };
}

function join(values: readonly Value[]): Computation | undefined {
  const computation = values.flatMap((value) => value.computation ?? []);
  if (computation.length === 0) return undefined;
  return {
    helpers: computation.flatMap(({ helpers }) => helpers),
    literals: computation.flatMap(({ literals }) => literals),
  };
}

function include(expression: Expression, computation: Computation | undefined): void {
  expression.helpers.push(...(computation?.helpers ?? []));
  expression.literals.push(...(computation?.literals ?? []));
}

function isPath(expression: hbs.AST.Expression): expression is hbs.AST.PathExpression {
  return expression.type === 'PathExpression';
}

function isSimplePath({ data, depth, parts, original }: hbs.AST.PathExpression): boolean {
  return !data && depth === 0 && parts.length === 1 && !/^(\.|this\b)/.test(original);
}

function nameOf(expression: hbs.AST.Expression): string {
  return String(Reflect.get(expression, 'original') ?? '');
}
