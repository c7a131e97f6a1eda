import Handlebars from 'handlebars';
import { faultAt, TemplateFault, tooLong } from '../fault.ts';
import { fromContext } from './null-context.ts';
import { isTruthy } from './arguments.ts';
import { HelperFault, type HelperCall, type RenderLanguage, type TemplateHelper } from './definition.ts';
import { helpersOf } from './helper-table.ts';

/** The options object that Handlebars passes after the arguments. */
interface CallOptions {
  hash: Record<string, unknown>;
  data?: { root?: unknown };
  loc: hbs.AST.SourceLocation;
  /** Present if the helper opens a block. */
  fn?: (context: unknown) => string;
  inverse?: (context: unknown) => string;
}

/** Handlebars' helpers for blocks, and `lookup`. `{{#field}}` calls `blockHelperMissing`. */
const BUILT_IN = ['if', 'unless', 'each', 'with', 'lookup', 'blockHelperMissing'];

/**
 * Creates the helpers of one rendering in the form that Handlebars calls. Their results count against
 * `maxLength` (UTF-16 code units), even if they are not output.
 */
export function bindHelpers(
  maxLength: number,
  language?: RenderLanguage,
): Record<string, Handlebars.HelperDelegate> {
  let remainingLength = maxLength;
  const bound = [...helpersOf(language?.isTranslated ?? false).values()].map((helper) => {
    function call(this: unknown, ...passed: unknown[]): unknown {
      const { hash, data, loc, fn, inverse } = passed.pop() as CallOptions;
      const options = Object.fromEntries(
        Object.entries(hash).map(([name, value]) => [name, fromContext(value)]),
      );
      const result = toOutput(
        helper,
        run(helper, passed.map(fromContext), {
          options,
          root: fromContext(data?.root),
          language,
          remainingLength,
          loc,
        }),
      );
      remainingLength -= sizeOf(result);
      if (remainingLength < 0) throw tooLong();
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
    const result: unknown = helper.apply(this, passed.map(fromContext));
    // JSON data has no functions, and Handlebars' own must not be exposed.
    return typeof result === 'function' ? undefined : result;
  };
}

/** Returns the usage of a helper: `{{round n [decimals]}}`. */
export function usageOf({ name, signature }: TemplateHelper): string {
  return `{{${name} ${signature}}}`;
}

function run(
  helper: TemplateHelper,
  values: readonly unknown[],
  { loc, ...call }: HelperCall & { loc: hbs.AST.SourceLocation },
): unknown {
  try {
    return helper.run(values, call);
  } catch (error) {
    if (error instanceof HelperFault) throw faultAt(`the helper "${helper.name}" ${error.message}`, loc);
    if (error instanceof TemplateFault && !error.position) throw faultAt(error.message, loc);
    throw error;
  }
}

/**
 * Marks markup so that Handlebars does not escape it. Empty markup remains an empty string, which is false in
 * conditions.
 */
function toOutput({ output }: TemplateHelper, result: unknown): unknown {
  return output !== undefined && typeof result === 'string' && result !== ''
    ? new Handlebars.SafeString(result)
    : result;
}

function sizeOf(result: unknown): number {
  if (typeof result === 'string') return result.length;
  return result instanceof Handlebars.SafeString ? result.toHTML().length : 0;
}
