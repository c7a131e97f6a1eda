import Handlebars from 'handlebars';
import { faultAt, quote } from './template-fault.ts';

const ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ['each', 1],
  ['if', 1],
  ['unless', 1],
  ['with', 1],
  ['lookup', 2],
]);

/**
 * Refuses what Handlebars would only stumble over while it renders, without a place: helpers with the wrong number of arguments or
 * outside a block, decorators other than inline partials, and `@partial-block` as a value, which is a function.
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
  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    checkInline(mustache);
    super.MustacheStatement(mustache);
  }

  override SubExpression(expression: hbs.AST.SubExpression): void {
    checkInline(expression);
    super.SubExpression(expression);
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    checkArguments(block);
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
    if (path.data && path.parts[0] === 'partial-block') {
      throw faultAt('@partial-block is not a value; it is used as {{> @partial-block}}', path.loc);
    }
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

interface Call {
  path: hbs.AST.PathExpression | hbs.AST.Literal;
  params: readonly hbs.AST.Expression[];
  loc: hbs.AST.SourceLocation;
}

function refuseDecorator({ loc }: hbs.AST.Node): never {
  throw faultAt('decorators other than {{#*inline "name"}} are not supported', loc);
}

function checkInline(call: Call): void {
  const name = helperName(call);
  if (name !== undefined && name !== 'lookup')
    throw faultAt(`the helper ${quote(name)} must open a block: {{#${name} …}}`, call.loc);
  checkArguments(call);
}

function checkArguments(call: Call): void {
  const name = helperName(call);
  const wanted = name === undefined ? undefined : ARGUMENTS.get(name);
  if (name === undefined || wanted === undefined || call.params.length === wanted) return;
  throw faultAt(
    `the helper ${quote(name)} takes ${wanted} argument${wanted === 1 ? '' : 's'}, not ${call.params.length}`,
    call.loc,
  );
}

// `{{./each}}`, `{{this.each}}` and `{{../each}}` are fields of the data.
function helperName({ path }: Call): string | undefined {
  if (!isPath(path) || path.data || path.depth > 0 || path.parts.length !== 1) return undefined;
  const [name = ''] = path.parts;
  return path.original === name && ARGUMENTS.has(name) ? name : undefined;
}

function isPath(node: hbs.AST.Expression): node is hbs.AST.PathExpression {
  return node.type === 'PathExpression';
}

function withoutPathAsName<T extends hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement>(
  partial: T,
): T {
  return isPath(partial.name) ? { ...partial, name: { ...partial.name, data: false } } : partial;
}
