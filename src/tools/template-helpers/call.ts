import Handlebars from 'handlebars';
import { faultAt, TemplateFault, tooLong } from '../template-fault.ts';
import { isTruthy } from './arguments.ts';
import { HelperFault, type TemplateHelper } from './definition.ts';
import { TEMPLATE_HELPERS } from './table.ts';

/** What Handlebars passes to a helper after its arguments. */
interface CallOptions {
  hash: Record<string, unknown>;
  loc: hbs.AST.SourceLocation;
  /** There for a block. */
  fn?: (context: unknown) => string;
  inverse?: (context: unknown) => string;
}

/**
 * Makes the helpers of one rendering, as Handlebars calls them. What they build counts against `maxLength` (UTF-16 code units),
 * also when it never reaches the output.
 */
export function bindHelpers(maxLength: number): Record<string, Handlebars.HelperDelegate> {
  let room = maxLength;
  const bound = [...TEMPLATE_HELPERS.values()].map((helper) => {
    function call(this: unknown, ...passed: unknown[]): unknown {
      const { hash, loc, fn, inverse } = passed.pop() as CallOptions;
      const result = run(helper, passed, { options: hash, room, loc });
      room -= sizeOf(result);
      if (room < 0) throw tooLong();
      if (!fn) return result;
      return isTruthy(result) ? fn(this) : inverse?.(this);
    }
    return [helper.name, call];
  });
  return Object.fromEntries(bound);
}

/** Says how a helper is called: `{{round n [decimals]}}`. */
export function usageOf({ name, signature }: TemplateHelper): string {
  return `{{${name} ${signature}}}`;
}

function run(
  helper: TemplateHelper,
  values: readonly unknown[],
  { loc, ...call }: { options: Record<string, unknown>; room: number; loc: hbs.AST.SourceLocation },
): unknown {
  try {
    return helper.run(values, call);
  } catch (error) {
    if (error instanceof HelperFault) throw faultAt(`the helper "${helper.name}" ${error.message}`, loc);
    if (error instanceof TemplateFault && !error.position) throw faultAt(error.message, loc);
    throw error;
  }
}

function sizeOf(result: unknown): number {
  if (typeof result === 'string') return result.length;
  return result instanceof Handlebars.SafeString ? result.toHTML().length : 0;
}
