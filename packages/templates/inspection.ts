import Handlebars from 'handlebars';
import { quote, faultAt } from './fault.ts';
import { BUILT_IN_HELPERS, TEMPLATE_HELPERS } from './helpers/table.ts';
import { parseSource } from './parser.ts';
import { fitArguments, SampleNode, type SampleArgument } from './sample.ts';

/** A piece of a template, in the order in which it is written. */
export type TemplatePiece =
  /** What is written as it stands, after white space was taken away where the template says so. */
  | { kind: 'text'; text: string }
  /** An edge of a block: it begins, goes on with its other branch, or ends. */
  | { kind: 'edge'; block: number }
  /** A place where a value is written. */
  | {
      kind: 'value';
      /** Whether `&`, `<`, `>`, quotes and `=` of it are escaped. */
      escaped: boolean;
      /** A field of the data and nothing else: no helper, no literal, not even one that a block around it was given. */
      isField: boolean;
      helpers: readonly string[];
      /** Texts that stand in the expression, or in that of a block whose value it writes. */
      literals: readonly string[];
    }
  /** What brings pieces of other places. */
  | { kind: 'partial' };

/** What is known of a template without rendering it. */
export interface TemplateInspection {
  pieces: readonly TemplatePiece[];
  /**
   * The names of all fields that it reads, each once and as it is written in its block, without `this.`, `../` and the like: inside
   * `{{#each items}}` it is `price`. Helpers and `@index` are none.
   */
  variables: readonly string[];
  /** The same from the top of the data: `items.price`. */
  paths: readonly string[];
  /** Data with which every list has rows and every plain condition holds. */
  sample: Record<string, unknown>;
}

/**
 * Reads what a template is made of. Call it for one that compiles.
 * @throws {TemplateFault} when it does not parse, or reads data of more than 40 levels.
 */
export function inspectSource(source: string): TemplateInspection {
  // Given a tree, Handlebars takes the white space away and parses nothing.
  const tree = Handlebars.parse(parseSource(source) as unknown as string);
  return new Inspector().inspect(tree);
}

/** What a name means at some place: a value, and its path from the top; of `@index` and its like neither is known. */
interface Meaning {
  node: SampleNode;
  path: readonly string[];
  /** What makes the value, when it is none of the data: `{{#with "text"}}{{this}}`. What it has below it is of the data. */
  made?: Made | undefined;
}

type Made = Pick<Expression, 'helpers' | 'literals'>;

interface Expression {
  isField: boolean;
  helpers: string[];
  literals: string[];
}

const MAX_PARTS = 30;

class Inspector {
  readonly #pieces: TemplatePiece[] = [];
  readonly #variables = new Set<string>();
  readonly #paths = new Set<string>();
  readonly #root: Meaning = { node: new SampleNode(), path: [] };
  /** The contexts of the blocks around a place, the innermost last. */
  readonly #contexts: Meaning[] = [this.#root];
  /** Names that blocks give (`as |item index|`); `undefined` for an index. */
  readonly #names: Map<string, Meaning | undefined>[] = [];
  #blocks = 0;

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
      const meaning = this.#meaning(mustache.path);
      meaning?.node.shown();
      expression.isField = !meaning?.made;
      include(expression, meaning?.made);
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
      const list = name === undefined ? this.#meaning(block.path) : this.#argument(subject, expression);
      const row = list ? this.#rowOf(list) : unknownValue(expression);
      const around = this.#contexts.slice(-1);
      // `{{#field}}` leaves the context as it is when the field is `true`.
      this.#contexts.push(name === undefined ? { ...row, made: join([row, ...around]) } : row);
    } else if (name === 'with') {
      const object = this.#argument(subject, expression);
      this.#contexts.push(object ?? unknownValue(expression));
    } else if (name === 'if' || name === 'unless') {
      this.#argument(subject, expression)?.node.asked();
    } else this.#call(block, expression);
    // Of this block Handlebars writes the value itself, as it is.
    if (name === 'lookup') this.#pieces.push({ kind: 'value', escaped: false, ...expression });
    this.#nameContext(block.program?.blockParams ?? [], this.#contexts.length > before);
    this.#program(block.program);
    this.#names.pop();
    // The other branch has the context of the block itself.
    this.#contexts.length = before;
    if (block.inverse) {
      this.#pieces.push(edge);
      this.#program(block.inverse);
    }
    this.#pieces.push(edge);
  }

  #rowOf({ node, path, made }: Meaning): Meaning {
    return { node: node.row(), path, made };
  }

  #nameContext(names: readonly string[], hasContext: boolean): void {
    const [first, ...others] = names;
    const given = new Map<string, Meaning | undefined>(others.map((name) => [name, undefined]));
    if (first !== undefined) given.set(first, hasContext ? this.#contexts.at(-1) : undefined);
    this.#names.push(given);
  }

  /** Reads the call of a helper with all that it is given. */
  #call(
    { path, params, hash }: Pick<hbs.AST.SubExpression, 'params' | 'hash'> & { path: hbs.AST.Expression },
    expression: Expression,
  ): void {
    const name = nameOf(path);
    expression.helpers.push(name);
    const read = (each: hbs.AST.Expression): SampleArgument => {
      const meaning = this.#argument(each, expression);
      const literal: unknown = Reflect.get(each, 'value');
      if (typeof literal === 'string' || typeof literal === 'number' || typeof literal === 'boolean')
        return { literal };
      return meaning ? { node: meaning.node } : {};
    };
    const args = params.map(read);
    const pairs = hash?.pairs ?? [];
    fitArguments(name, args, new Map(pairs.map(({ key, value }) => [key, read(value)])));
  }

  /** Reads what a helper or block is given; a value is known only of a field. */
  #argument(argument: hbs.AST.Expression | undefined, expression: Expression): Meaning | undefined {
    if (argument?.type === 'SubExpression') this.#call(argument as hbs.AST.SubExpression, expression);
    else if (argument && !isPath(argument)) expression.literals.push(nameOf(argument));
    if (!argument || !isPath(argument)) return undefined;
    const meaning = this.#meaning(argument);
    include(expression, meaning?.made);
    return meaning;
  }

  #isHelper(call: { path: hbs.AST.Expression; params: unknown[]; hash?: hbs.AST.Hash }): boolean {
    if (call.params.length > 0 || call.hash) return true;
    const name = nameOf(call.path);
    const isSimple = !isPath(call.path) || isSimplePath(call.path);
    if (!isSimple || this.#names.some((names) => names.has(name))) return false;
    return TEMPLATE_HELPERS.has(name) || BUILT_IN_HELPERS.has(name);
  }

  /** Finds what a path stands for, and counts it as a variable. */
  #meaning(expression: hbs.AST.Expression): Meaning | undefined {
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
    return { node, path, made: parts.length === 0 ? base.made : undefined };
  }

  /** Finds where a path begins, and takes from it what names the beginning. */
  #base(path: hbs.AST.PathExpression, parts: string[]): Meaning | undefined {
    if (path.data) return parts.shift() === 'root' ? this.#root : undefined;
    if (path.depth > 0) {
      const context = this.#contexts.at(-1 - path.depth) ?? this.#root;
      // Handlebars leaves out a context that is the one around it, as in `{{#with this}}`: `..` may be further up.
      return { ...context, made: join(this.#contexts) };
    }
    const names = this.#names.findLast((each) => each.has(parts[0] ?? ''));
    if (!names || /^(\.|this\b)/.test(path.original)) return this.#contexts.at(-1);
    return names.get(parts.shift() ?? '');
  }
}

function unknownValue(made: Made): Meaning {
  return { node: new SampleNode(), path: ['?'], made };
}

function join(meanings: readonly Meaning[]): Made | undefined {
  const made = meanings.flatMap((meaning) => meaning.made ?? []);
  if (made.length === 0) return undefined;
  return {
    helpers: made.flatMap(({ helpers }) => helpers),
    literals: made.flatMap(({ literals }) => literals),
  };
}

function include(expression: Expression, made: Made | undefined): void {
  expression.helpers.push(...(made?.helpers ?? []));
  expression.literals.push(...(made?.literals ?? []));
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
