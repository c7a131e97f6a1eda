import Handlebars from 'handlebars';
import { faultAt, TemplateFault, tooLong } from '../fault.ts';
import { meantBy } from './absent.ts';
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

/** What Handlebars brings for blocks and for `lookup`. `blockHelperMissing` is what `{{#field}}` calls. */
const BUILT_IN = ['if', 'unless', 'each', 'with', 'lookup', 'blockHelperMissing'];

/**
 * Makes the helpers of one rendering, as Handlebars calls them. What they build counts against `maxLength` (UTF-16 code units),
 * also when it never reaches the output.
 */
export function bindHelpers(maxLength: number): Record<string, Handlebars.HelperDelegate> {
  let room = maxLength;
  const bound = [...TEMPLATE_HELPERS.values()].map((helper) => {
    function call(this: unknown, ...passed: unknown[]): unknown {
      const { hash, loc, fn, inverse } = passed.pop() as CallOptions;
      const options = Object.fromEntries(Object.entries(hash).map(([name, value]) => [name, meantBy(value)]));
      const result = toOutput(helper, run(helper, passed.map(meantBy), { options, room, loc }));
      room -= sizeOf(result);
      if (room < 0) throw tooLong();
      if (!fn) return result;
      return isTruthy(result) ? fn(this) : inverse?.(this);
    }
    return [helper.name, call];
  });
  return Object.fromEntries([...BUILT_IN.map((name) => [name, builtIn(name)]), ...bound]);
}

function builtIn(name: string): Handlebars.HelperDelegate {
  const helper: unknown = Handlebars.helpers[name];
  if (typeof helper !== 'function') throw new Error(`Handlebars has no helper ${name}`);
  return function call(this: unknown, ...passed: unknown[]): unknown {
    const result: unknown = helper.apply(this, passed.map(meantBy));
    // Data hold none; Handlebars' own are not to be read.
    return typeof result === 'function' ? undefined : result;
  };
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

/** Marks markup as such, so that Handlebars does not escape it. Empty markup stays an empty string, which conditions take for false. */
function toOutput({ output }: TemplateHelper, result: unknown): unknown {
  return output !== undefined && typeof result === 'string' && result !== ''
    ? new Handlebars.SafeString(result)
    : result;
}

function sizeOf(result: unknown): number {
  if (typeof result === 'string') return result.length;
  return result instanceof Handlebars.SafeString ? result.toHTML().length : 0;
}
