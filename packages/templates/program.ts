import Handlebars from 'handlebars';
import { checkTemplate, findPartial } from './check.ts';
import { faultAt, quote, TemplateFault, tooLong } from './fault.ts';
import { fromContext, NULL_CONTEXT } from './helpers/null-context.ts';
import { bindHelpers } from './helpers/call.ts';
import { helpersOf, type HelperTable } from './helpers/helper-table.ts';
import type { Language } from './translations/language.ts';
import type { MissingVariables } from './missing-variables.ts';
import { fromException, parseSource } from './parser.ts';
import { READ_HELPER, watchVariables } from './watch-variables.ts';

/** A compiled template: one function per block, and metadata. It has no rendering state. */
export type TemplateProgram = Readonly<Record<string, unknown>>;

interface Container {
  escapeExpression: (value: string) => string;
  nullContext: object;
}
type Block = (container: Container, ...rest: unknown[]) => unknown;

/**
 * The maximum depth of nested blocks and partials: far more than documents need, and far less than the stack
 * allows.
 */
const MAX_DEPTH = 500;

const handlebars = Handlebars.create();
handlebars.unregisterHelper('log');

// With `knownHelpersOnly` a name is either one of these helpers or a field of the data, and an unknown helper
// fails to compile. A new object for each call, because the compiler changes it.
function compileOptions(helpers: HelperTable): PrecompileOptions {
  return {
    knownHelpersOnly: true,
    knownHelpers: {
      log: false,
      helperMissing: false,
      blockHelperMissing: false,
      [READ_HELPER]: true,
      ...Object.fromEntries(helpers.keys().map((name) => [name, true])),
    },
  };
}

/** Compiles a template. `isTranslated` tells whether it has the helper `t`. @throws {TemplateFault} */
export function compileProgram(source: string, isTranslated = false): TemplateProgram {
  const helpers = helpersOf(isTranslated);
  try {
    const tree = parseSource(source);
    checkTemplate(tree, helpers);
    watchVariables(tree, helpers);
    const code: unknown = handlebars.precompile(tree, compileOptions(helpers));
    // oxlint-disable-next-line typescript/no-implied-eval -- a template engine's output is code; the package's documentation says where to load it
    return new Function(`return ${String(code)}`)();
  } catch (error) {
    if (error instanceof TemplateFault) throw error;
    if (error instanceof Handlebars.Exception) throw fromException(error);
    if (error instanceof RangeError) throw new TemplateFault('the template is nested too deeply');
    throw error;
  }
}

/** A program that other programs call as `{{> name}}`. */
export interface NamedProgram {
  name: string;
  source: string;
  program: TemplateProgram;
}

/** The source of a program, the limit of its output, and the partials that it may call. */
export interface RenderLimits {
  source: string;
  /** The maximum length of the output in UTF-16 code units. */
  maxLength: number;
  partials?: readonly NamedProgram[];
  /** Receives the variables that the data lacks. */
  missing?: MissingVariables | undefined;
  language?: Language | undefined;
  /** See `CompileInput`. */
  writeValue?: ((value: unknown) => string) | undefined;
}

/**
 * Renders a program with data. Each rendering has its own state, so nothing leaks into the next. Reads only
 * own properties of the data. Counts the output while it grows, so rendering stops at `maxLength`.
 * @throws {TemplateFault}
 */
export function renderProgram(
  program: TemplateProgram,
  data: object,
  { source, maxLength, partials = [], missing, language, writeValue = escapeHtml }: RenderLimits,
): string {
  const limiter = new Limiter(maxLength, writeValue);
  try {
    return handlebars.template(limiter.limit(program))(data, {
      helpers: { ...bindHelpers(maxLength, language), [READ_HELPER]: readHelper(missing) },
      partials: Object.fromEntries(
        partials.map((partial) => [
          partial.name,
          handlebars.template(limiter.limit(partial.program, partial)),
        ]),
      ),
      data: { locale: language?.locale, language: language?.tag, direction: language?.direction },
      allowProtoPropertiesByDefault: false,
      allowProtoMethodsByDefault: false,
    });
  } catch (error) {
    const { failedIn } = limiter;
    const fault = toFault(error, failedIn?.source ?? source);
    throw failedIn ? inPartial(failedIn.name, fault) : fault;
  }
}

// Handlebars escapes values of any type, although the declared type is string.
function escapeHtml(value: unknown): string {
  return handlebars.escapeExpression(value as string);
}

/**
 * Returns the helper that reads the variables which a template needs. JSON has no `undefined`, so only absent
 * variables have this value.
 */
function readHelper(missing: MissingVariables | undefined) {
  return (
    value: unknown,
    name: string,
    context: unknown,
    { loc }: { loc: hbs.AST.SourceLocation },
  ): unknown => {
    // A field of null is not absent from the data.
    if (value === undefined && fromContext(context) !== null)
      missing?.note(name, context, { line: loc.start.line, column: loc.start.column + 1 });
    return value;
  };
}

/** Returns a fault whose message names the partial and the position in it. */
export function inPartial(name: string, { message, position }: TemplateFault): TemplateFault {
  const prefix = position ? `line ${position.line}, column ${position.column}: ` : '';
  return new TemplateFault(`partial ${quote(name)}: ${prefix}${message}`);
}

function toFault(error: unknown, source: string): TemplateFault {
  if (error instanceof TemplateFault) return error;
  if (error instanceof RangeError) return /memory|length/i.test(error.message) ? tooLong() : tooDeep();
  return explain(error, source);
}

/**
 * Limits the total output and the depth of the programs of one rendering, and records the partial in which it
 * failed.
 */
class Limiter {
  failedIn: NamedProgram | undefined;
  #failed = false;
  #produced = 0;
  #depth = 0;
  readonly #maxLength: number;
  readonly #writeValue: (value: unknown) => string;

  constructor(maxLength: number, writeValue: (value: unknown) => string) {
    this.#maxLength = maxLength;
    this.#writeValue = writeValue;
  }

  /** Returns a copy of a program that observes the limits. `partial` is absent for the template itself. */
  limit(program: TemplateProgram, partial?: NamedProgram): TemplateProgram {
    const entries = Object.entries(program).map(([key, value]) => [
      key,
      isBlock(key, value) ? this.#limitBlock(value, partial) : value,
    ]);
    return Object.fromEntries(entries);
  }

  #count(length: number): void {
    this.#produced = length;
    if (this.#produced > this.#maxLength) throw tooLong();
  }

  readonly #escape = (value: string): string => {
    const text = typeof value === 'function' ? '' : this.#writeValue(value);
    this.#count(this.#produced + text.length);
    return text;
  };

  #limitBlock(block: Block, partial: NamedProgram | undefined): Block {
    return (container, ...rest) => {
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH) throw tooDeep();
      container.escapeExpression = this.#escape;
      container.nullContext = NULL_CONTEXT;
      const before = this.#produced;
      let output: unknown;
      try {
        output = block(container, ...rest);
      } catch (error) {
        // The innermost block is the first to catch the error.
        if (!this.#failed) this.failedIn = partial;
        this.#failed = true;
        throw error;
      }
      const text = typeof output === 'string' ? output : String(output);
      // The output of the block includes text already counted inside it.
      this.#count(before + text.length);
      this.#depth -= 1;
      return text;
    };
  }
}

function isBlock(key: string, value: unknown): value is Block {
  return typeof value === 'function' && (key === 'main' || /^\d+$/.test(key));
}

function tooDeep(): TemplateFault {
  return new TemplateFault(
    `blocks and partials call each other more than ${MAX_DEPTH} levels deep; does a partial call itself?`,
  );
}

function explain(error: unknown, source: string): TemplateFault {
  const message = error instanceof Error ? error.message : String(error);
  const [, partial] = /^The partial (.*) could not be found$/s.exec(message) ?? [];
  if (partial === undefined)
    return new TemplateFault(`the template fails on this data: ${quote(message).slice(1, -1)}`);
  const location = findPartial(parseSource(source), partial);
  const sentence = `the partial ${quote(partial)} does not exist`;
  return location ? faultAt(sentence, location) : new TemplateFault(sentence);
}
