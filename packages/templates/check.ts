import Handlebars from 'handlebars';
import { checkCall, type Call, type CallPlace } from './call.ts';
import { faultAt, quote } from './fault.ts';

/**
 * The most parts of a path. Each becomes a level of parentheses, and of some thousand levels JavaScriptCore's parser takes time that
 * doubles with each level.
 */
const MAX_PATH_PARTS = 100;

/**
 * Refuses what Handlebars would only stumble over while it renders, without a place: helpers with the wrong number of arguments or
 * outside a block, decorators other than inline partials, and `@partial-block` as a value, which is a function, with the ways to it:
 * `@_parent` and `@this`, in which Handlebars keeps it.
 *
 * @throws {TemplateFault}
 */
export function checkTemplate(program: hbs.AST.Program): void {
  new Checker().accept(program);
}

/** Finds the first call of a partial by its name. */
export function findPartial(program: hbs.AST.Program, name: string): hbs.AST.SourceLocation | undefined {
  const finder = new PartialFinder(name);
  finder.accept(program);
  return finder.location;
}

// A handler is found by the type of its node: subclasses of Visitor define nothing but handlers.
class Checker extends Handlebars.Visitor {
  /** Names that blocks around the node gave (`as |item index|`): they hide helpers. */
  readonly #blockParams: string[] = [];

  override Program(program: hbs.AST.Program): void {
    const names = program.blockParams ?? [];
    this.#blockParams.push(...names);
    super.Program(program);
    this.#blockParams.length -= names.length;
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
    refuseDecorator(decorator);
  }

  override DecoratorBlock(decorator: hbs.AST.DecoratorBlock): void {
    if (decorator.path.original !== 'inline') refuseDecorator(decorator);
    if (decorator.params.length !== 1)
      throw faultAt('an inline partial takes one argument, its name', decorator.loc);
    super.DecoratorBlock(decorator);
  }

  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    super.PartialStatement(withoutPathAsName(partial));
  }

  override PartialBlockStatement(partial: hbs.AST.PartialBlockStatement): void {
    super.PartialBlockStatement(withoutPathAsName(partial));
  }

  override PathExpression(path: hbs.AST.PathExpression): void {
    if (path.parts.length > MAX_PATH_PARTS)
      throw faultAt(`the path ${quote(path.original)} has more than ${MAX_PATH_PARTS} parts`, path.loc);
    if (!path.data) return;
    const [name = 'this'] = path.parts;
    if (name === 'partial-block')
      throw faultAt('@partial-block is not a value; it is used as {{> @partial-block}}', path.loc);
    if (name === '_parent' || name === 'this')
      throw faultAt(
        `@${name} is not a value; the context around a block is .., its index there @../index`,
        path.loc,
      );
  }

  #check(call: Call, place: CallPlace): void {
    checkCall(call, place, this.#blockParams);
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

function refuseDecorator({ loc }: hbs.AST.Node): never {
  throw faultAt('decorators other than {{#*inline "name"}} are not supported', loc);
}

function isPath(node: hbs.AST.Expression): node is hbs.AST.PathExpression {
  return node.type === 'PathExpression';
}

function withoutPathAsName<T extends hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement>(
  partial: T,
): T {
  return isPath(partial.name) ? { ...partial, name: { ...partial.name, data: false } } : partial;
}
