import Handlebars from 'handlebars';
import { checkTemplate, findPartial } from './check.ts';
import { faultAt, quote, TemplateFault, tooLong } from './fault.ts';
import { NULL_CONTEXT } from './helpers/null-context.ts';
import { bindHelpers } from './helpers/call.ts';
import { TEMPLATE_HELPERS } from './helpers/table.ts';
import { fromException, parseSource } from './parser.ts';

/** A compiled template: one function per block, and metadata. It has no rendering state. */
export type TemplateProgram = Readonly<Record<string, unknown>>;

interface Container {
  escapeExpression: (value: string) => string;
  nullContext: object;
}
type Block = (container: Container, ...rest: unknown[]) => unknown;

/**
 * The maximum depth of nested blocks and partials: far more than documents need, and far less than the stack allows.
 */
const MAX_DEPTH = 500;

const handlebars = Handlebars.create();
handlebars.unregisterHelper('log');

// With `knownHelpersOnly` a name is either one of these helpers or a field of the data, and an unknown helper fails to
// compile. A new object for each call, because the compiler changes it.
function compileOptions(): PrecompileOptions {
  return {
    knownHelpersOnly: true,
    knownHelpers: {
      log: false,
      helperMissing: false,
      blockHelperMissing: false,
      ...Object.fromEntries(TEMPLATE_HELPERS.keys().map((name) => [name, true])),
    },
  };
}

/** Compiles a template. @throws {TemplateFault} */
export function compileProgram(source: string): TemplateProgram {
  try {
    const tree = parseSource(source);
    checkTemplate(tree);
    const code: unknown = handlebars.precompile(tree, compileOptions());
    // oxlint-disable-next-line typescript/no-implied-eval -- a template engine's output is code; the package's documentation says where to load it
    return new Function(`return ${String(code)}`)();
  } catch (error) {
    if (error instanceof TemplateFault) throw error;
    if (error instanceof Handlebars.Exception) throw fromException(error);
    if (error instanceof RangeError) throw new TemplateFault('the template is nested too deeply');
    throw error;
  }
}

/**
 * Renders a program with data. Each rendering has its own state, so nothing leaks into the next. Reads only own
 * properties of the data. Counts the output while it grows, so rendering stops at `maxLength` (UTF-16 code units).
 * @throws {TemplateFault}
 */
export function renderProgram(
  program: TemplateProgram,
  data: object,
  { source, maxLength }: { source: string; maxLength: number },
): string {
  try {
    return handlebars.template(withOutputLimit(program, maxLength))(data, {
      helpers: bindHelpers(maxLength),
      allowProtoPropertiesByDefault: false,
      allowProtoMethodsByDefault: false,
    });
  } catch (error) {
    if (error instanceof TemplateFault) throw error;
    if (error instanceof RangeError) {
      throw /memory|length/i.test(error.message) ? tooLong() : tooDeep();
    }
    throw explain(error, source);
  }
}

function withOutputLimit(program: TemplateProgram, maxLength: number): TemplateProgram {
  let produced = 0;
  let depth = 0;

  function count(length: number): void {
    produced = length;
    if (produced > maxLength) throw tooLong();
  }

  // Handlebars passes values of any type, although the declared type is string.
  function escape(value: string): string {
    const text = typeof value === 'function' ? '' : handlebars.escapeExpression(value);
    count(produced + text.length);
    return text;
  }

  function limit(block: Block): Block {
    return (container, ...rest) => {
      depth += 1;
      if (depth > MAX_DEPTH) throw tooDeep();
      container.escapeExpression = escape;
      container.nullContext = NULL_CONTEXT;
      const before = produced;
      const output = block(container, ...rest);
      const text = typeof output === 'string' ? output : String(output);
      // The output of the block includes text already counted inside it.
      count(before + text.length);
      depth -= 1;
      return text;
    };
  }

  const entries = Object.entries(program).map(([key, value]) => [
    key,
    isBlock(key, value) ? limit(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function isBlock(key: string, value: unknown): value is Block {
  return typeof value === 'function' && (key === 'main' || /^\d+$/.test(key));
}

function tooDeep(): TemplateFault {
  return new TemplateFault(
    `blocks and partials call each other more than ${MAX_DEPTH} levels deep; does an inline partial call itself?`,
  );
}

function explain(error: unknown, source: string): TemplateFault {
  const message = error instanceof Error ? error.message : String(error);
  const [, partial] = /^The partial (.*) could not be found$/s.exec(message) ?? [];
  if (partial === undefined)
    return new TemplateFault(`the template fails on this data: ${quote(message).slice(1, -1)}`);
  const location = findPartial(parseSource(source), partial);
  const sentence = `there is no inline partial ${quote(partial)}`;
  return location ? faultAt(sentence, location) : new TemplateFault(sentence);
}
