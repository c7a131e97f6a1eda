import Handlebars from 'handlebars';
import { checkCall, type Call, type CallPlace } from './call.ts';
import { faultAt, quote } from './fault.ts';
import type { HelperTable } from './helpers/helper-table.ts';
import { ScopeVisitor } from './scope-visitor.ts';

/**
 * The maximum number of parts of a path. Each part becomes a level of parentheses in the compiled code.
 * Beyond a few thousand levels, the time of JavaScriptCore's parser doubles with each level.
 */
const MAX_PATH_PARTS = 100;

/**
 * Rejects errors that Handlebars would report only while rendering and without a position: helpers with the
 * wrong number of arguments or outside a block, and decorators other than inline partials. Also rejects
 * `@partial-block` as a value, because it is a function, and `@_parent` and `@this`, which lead to it.
 * @throws {TemplateFault}
 */
export function checkTemplate(program: hbs.AST.Program, helpers: HelperTable): void {
  new Checker(helpers).accept(program);
}

/** Returns the location of the first call of a partial, or `undefined` if the template calls no partial. */
export function findPartial(program: hbs.AST.Program, name: string): hbs.AST.SourceLocation | undefined {
  const finder = new PartialFinder(name);
  finder.accept(program);
  return finder.location;
}

class Checker extends ScopeVisitor {
  readonly #helpers: HelperTable;

  constructor(helpers: HelperTable) {
    super();
    this.#helpers = helpers;
  }

  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    this.#check(mustache, 'mustache');
    super.MustacheStatement(mustache);
  }

  override SubExpression(expression: hbs.AST.SubExpression): void {
    this.#check(expression, 'expression');
    super.SubExpression(expression);
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    this.#check(block, 'block');
    super.BlockStatement(block);
  }

  override Decorator(decorator: hbs.AST.Decorator): void {
    rejectDecorator(decorator);
  }

  override DecoratorBlock(decorator: hbs.AST.DecoratorBlock): void {
    if (decorator.path.original !== 'inline') rejectDecorator(decorator);
    if (decorator.params.length !== 1)
      throw faultAt('an inline partial takes one argument, its name', decorator.loc);
    super.DecoratorBlock(decorator);
  }

  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    super.PartialStatement(withNameAllowed(partial));
  }

  override PartialBlockStatement(partial: hbs.AST.PartialBlockStatement): void {
    super.PartialBlockStatement(withNameAllowed(partial));
  }

  override PathExpression(path: hbs.AST.PathExpression): void {
    if (path.parts.length > MAX_PATH_PARTS)
      throw faultAt(`the path ${quote(path.original)} has more than ${MAX_PATH_PARTS} parts`, path.loc);
    if (!path.data) return;
    const [name = 'this'] = path.parts;
    if (name === 'partial-block')
      throw faultAt('@partial-block is not a value; use {{> @partial-block}}', path.loc);
    if (name === '_parent' || name === 'this')
      throw faultAt(
        `@${name} is not a value; use .. for the outer context and @../index for its index`,
        path.loc,
      );
  }

  #check(call: Call, place: CallPlace): void {
    checkCall(call, { place, blockParams: this.blockParams, helpers: this.#helpers });
  }
}

class PartialFinder extends Handlebars.Visitor {
  location: hbs.AST.SourceLocation | undefined;
  readonly partialName: string;

  constructor(partialName: string) {
    super();
    this.partialName = partialName;
  }

  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    if ('original' in partial.name && partial.name.original === this.partialName)
      this.location ??= partial.loc;
    super.PartialStatement(partial);
  }
}

function rejectDecorator({ loc }: hbs.AST.Node): never {
  throw faultAt('decorators other than {{#*inline "name"}} are not supported', loc);
}

function isPath(node: hbs.AST.Expression): node is hbs.AST.PathExpression {
  return node.type === 'PathExpression';
}

// Lets `@partial-block` be the name of a partial, although it is not a value.
function withNameAllowed<T extends hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement>(partial: T): T {
  return isPath(partial.name) ? { ...partial, name: { ...partial.name, data: false } } : partial;
}
