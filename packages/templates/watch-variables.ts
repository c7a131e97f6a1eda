import { BUILT_IN_HELPERS, type HelperTable } from './helpers/helper-table.ts';
import { ScopeVisitor } from './scope-visitor.ts';

/**
 * The internal helper that reads a variable which the template needs: `(read value name context)`. Its name
 * cannot be a field of JSON data.
 */
export const READ_HELPER = '\u0000read';

/** The helpers whose arguments may be absent: they test or replace them. */
const TESTING_HELPERS = new Set([
  'and',
  'or',
  'not',
  'default',
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'length',
]);

type Expression = hbs.AST.Expression;
type Path = hbs.AST.PathExpression;
type Call = hbs.AST.MustacheStatement | hbs.AST.SubExpression | hbs.AST.BlockStatement;

/**
 * Marks the variables that a template needs, so that its program reports those that the data lacks. Needed
 * are the variables that are printed, the lists and objects of `#each` and `#with` without `{{else}}`, and
 * the arguments of helpers. Variables that are only tested are not needed: in `#if`, `#unless`, `{{#field}}`,
 * the arguments of `default`, `and`, `or`, `not` and comparisons, the options of helpers, and the arguments
 * of partials. Changes the tree.
 */
export function watchVariables(program: hbs.AST.Program, helpers: HelperTable): void {
  new Watcher(helpers).accept(program);
}

class Watcher extends ScopeVisitor {
  readonly #helpers: HelperTable;

  constructor(helpers: HelperTable) {
    super();
    this.#helpers = helpers;
  }

  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    const { path } = mustache;
    if (this.#isCall(mustache)) {
      this.#watchArguments(mustache);
      return;
    }
    // With arguments it is an unknown helper, which does not compile.
    const isPlain = mustache.params.length === 0 && mustache.hash === undefined;
    if (!isPlain || !isPath(path) || !this.#isVariable(path)) return;
    const { params, path: helper } = this.#read(path);
    Object.assign(mustache, { path: helper, params });
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    const name = nameOf(block.path);
    const isLoop = name === 'each' || name === 'with';
    if (isLoop && !block.inverse) block.params = block.params.map((param) => this.#watch(param));
    this.acceptKey(block, 'program');
    this.acceptKey(block, 'inverse');
  }

  override PartialStatement(): void {
    // The partial itself reports the variables that it needs.
  }

  override PartialBlockStatement(partial: hbs.AST.PartialBlockStatement): void {
    this.acceptKey(partial, 'program');
  }

  #watchArguments(call: hbs.AST.MustacheStatement | hbs.AST.SubExpression): void {
    const name = nameOf(call.path);
    if (TESTING_HELPERS.has(name)) return;
    const needed = this.#helpers.get(name)?.argumentCount[0] ?? BUILT_IN_HELPERS.get(name) ?? 0;
    call.params = call.params.map((param, index) => (index < needed ? this.#watch(param) : param));
  }

  #watch(expression: Expression): Expression {
    if (isPath(expression)) return this.#isVariable(expression) ? this.#read(expression) : expression;
    if (expression.type === 'SubExpression') this.#watchArguments(expression as hbs.AST.SubExpression);
    return expression;
  }

  /** Returns `(read value name context)`. */
  #read(path: Path): hbs.AST.SubExpression {
    const { loc, data, depth, parts } = path;
    const isRoot = data && parts[0] === 'root';
    const isParam = this.#isParam(path);
    const head = isRoot || isParam ? parts.slice(0, 1) : [];
    const name = parts.slice(head.length).join('.');
    const original = isRoot
      ? '@root'
      : isParam
        ? String(parts[0])
        : depth > 0
          ? Array(depth).fill('..').join('/')
          : 'this';
    return {
      type: 'SubExpression',
      loc,
      path: pathOf({ loc, data: false, depth: 0, parts: [READ_HELPER], original: READ_HELPER }),
      params: [path, textOf(name, loc), pathOf({ loc, data, depth, parts: head, original })],
      hash: { type: 'Hash', pairs: [], loc },
    };
  }

  #isParam({ data, depth, parts, original }: Path): boolean {
    return (
      !data && depth === 0 && !/^\.|this\b/.test(original) && this.blockParams.includes(String(parts[0]))
    );
  }

  /** Tells whether a path is a field of the data: not `this`, and not `@index`. */
  #isVariable(path: Path): boolean {
    const { data, parts } = path;
    if (data) return parts[0] === 'root' && parts.length > 1;
    return parts.length > (this.#isParam(path) ? 1 : 0);
  }

  #isCall(call: Call): boolean {
    const name = nameOf(call.path);
    if (this.blockParams.includes(name)) return false;
    return this.#helpers.has(name) || BUILT_IN_HELPERS.has(name);
  }
}

function isPath(node: hbs.AST.Node): node is Path {
  return node.type === 'PathExpression';
}

/** Returns the name that may denote a helper; empty for a field such as `this.each`. */
function nameOf(path: Expression): string {
  if (!isPath(path)) return String(Reflect.get(path, 'original'));
  const { data, depth, parts, original } = path;
  return data || depth > 0 || parts.length !== 1 || /^\.|this\b/.test(original) ? '' : String(parts[0]);
}

function pathOf(path: Omit<Path, 'type' | 'tail' | 'head' | 'this'>): Path {
  return { type: 'PathExpression', ...path };
}

function textOf(value: string, loc: hbs.AST.SourceLocation): hbs.AST.StringLiteral {
  return { type: 'StringLiteral', value, original: value, loc };
}
