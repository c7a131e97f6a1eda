import Handlebars from 'handlebars';

/**
 * A visitor that knows which block parameters (`as |item index|`) are in scope, because they hide helpers and
 * fields. It calls the method with the name of a node's type, so subclasses must not define other public
 * methods.
 */
export class ScopeVisitor extends Handlebars.Visitor {
  /** The names in scope, from the outermost block to the innermost. */
  protected readonly blockParams: string[] = [];

  override Program(program: hbs.AST.Program): void {
    const names = program.blockParams ?? [];
    this.blockParams.push(...names);
    super.Program(program);
    this.blockParams.length -= names.length;
  }
}
