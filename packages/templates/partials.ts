import Handlebars from 'handlebars';
import { TemplateFault, toFailure, type Result } from './fault.ts';
import { fromException, parseSource } from './parser.ts';

/** The maximum number of listed names. */
const MAX_NAMES = 1_000;

/**
 * Lists the names of the partials that a template calls, except those that it defines inline and
 * `@partial-block`. A name that is computed (`{{> (lookup . "name")}}`) is not listed. A failure is
 * `TEMPLATE_ERROR` with line and column.
 */
export function listPartials({ source }: { source: string }): Result<string[]> {
  try {
    return { ok: true, value: namesIn(source).slice(0, MAX_NAMES) };
  } catch (error) {
    if (error instanceof TemplateFault) return toFailure(error);
    // Handlebars checks itself that the end of a block matches its start.
    if (error instanceof Handlebars.Exception) return toFailure(fromException(error));
    throw error;
  }
}

function namesIn(source: string): string[] {
  const finder = new Finder();
  finder.accept(parseSource(source));
  return [...finder.called].filter((name) => !finder.defined.has(name));
}

// Visitor calls the method with the name of a node's type, so it must not have other public methods.
class Finder extends Handlebars.Visitor {
  readonly called = new Set<string>();
  readonly defined = new Set<string>(['@partial-block']);

  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    this.#add(partial);
    super.PartialStatement(partial);
  }

  override PartialBlockStatement(partial: hbs.AST.PartialBlockStatement): void {
    this.#add(partial);
    super.PartialBlockStatement(partial);
  }

  override DecoratorBlock(decorator: hbs.AST.DecoratorBlock): void {
    const [name] = decorator.params;
    if (name) this.defined.add(String(Reflect.get(name, 'original')));
    super.DecoratorBlock(decorator);
  }

  #add({ name }: hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement): void {
    if (name.type === 'SubExpression') return;
    // The name may be a literal, whose original value can be a number.
    const original: unknown = name.original;
    this.called.add(String(original));
  }
}
