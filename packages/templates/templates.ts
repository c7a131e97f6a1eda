import { replacePageVariables } from './page-variables.ts';
import { TemplateCache } from './cache.ts';
import { MissingVariables, type MissingVariable } from './missing-variables.ts';
import { TemplateFault, toFailure, tooLong, type Result } from './fault.ts';
import { HelperFault } from './helpers/definition.ts';
import { Language, withLocale, type ReplacedLanguage, type Translations } from './translations/language.ts';
import { inspectSource, type TemplateInspection } from './inspection.ts';
import { compileProgram, inPartial, renderProgram, type NamedProgram } from './program.ts';

/** A template and its data. */
export interface CompileInput {
  source: string;
  /** A JSON object. Only own properties are read, and functions are never called. */
  data: unknown;
  /**
   * Small templates, keyed by name (`header`, `footer`), which are rendered with the same data. Their page
   * variables become the elements that Chromium fills.
   */
  parts?: Record<string, string>;
  /** Templates that the template and its parts may call as `{{> name}}`, keyed by name. */
  partials?: Readonly<Record<string, string>>;
  /**
   * Writes a value of the data, or the result of a helper, in the output. By default it is escaped as HTML.
   * Markup of a helper is an object with the method `toHTML`.
   */
  writeValue?: ((value: unknown) => string) | undefined;
  /** The locale of the request, a BCP 47 tag. It takes the place of the field `locale` of the data. */
  locale?: string | undefined;
  /** With them, the template, its parts and its partials have the helper `t`. */
  translations?: Translations | undefined;
  /** Whether `missing` has the positions of the variables. */
  positions?: boolean;
  /** The maximum output of the template and its parts together, in UTF-8 bytes. The default is 20,000,000. */
  maxOutputBytes?: number;
}

/** The rendered template. `parts` is present if the input has parts. */
export interface CompiledTemplate {
  html: string;
  parts?: Record<string, string>;
  /**
   * The variables that the template and its parts need and the data lacks; absent if the data is complete.
   */
  missing?: MissingVariable[];
  /** Present if the template has no messages in the language of the document, and needs one. */
  replacedLanguage?: ReplacedLanguage;
}

const DEFAULT_MAX_OUTPUT_BYTES = 20_000_000;

// Each thread has its own cache.
const programs = new TemplateCache(compileProgram);

/** A template, and whether it has the helper `t`. */
interface ParseInput {
  source: string;
  isTranslated?: boolean;
}

/** Checks that a template compiles. A failure is `TEMPLATE_ERROR` with line and column. */
export function parseTemplate({ source, isTranslated }: ParseInput): Result<Record<string, never>> {
  try {
    programs.get(source, isTranslated);
    return { ok: true, value: {} };
  } catch (error) {
    return failure(error);
  }
}

/** Compiles and inspects a template. A failure is `TEMPLATE_ERROR` with line and column. */
export function inspectTemplate({ source, isTranslated }: ParseInput): Result<TemplateInspection> {
  try {
    programs.get(source, isTranslated);
    return { ok: true, value: inspectSource(source, isTranslated) };
  } catch (error) {
    return failure(error);
  }
}

/**
 * Renders a template and its parts with data. Templates can use Handlebars' own helpers, the helpers of
 * `helpers/helper-table.ts`, inline partials and the given partials. They cannot read files, the environment
 * or the network. A failure is `TEMPLATE_ERROR`, with line and column if the position is known.
 */
export function compileTemplate(input: CompileInput): Result<CompiledTemplate> {
  const { source, data: given, parts, partials = {}, maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES } = input;
  const { writeValue, positions = false, locale, translations } = input;
  const isTranslated = translations !== undefined;
  let part: string | undefined;
  try {
    if (!isPlainObject(given)) throw new TemplateFault('the data must be a JSON object');
    let budget = maxOutputBytes;
    const data = withLocale(given, locale);
    const missing = new MissingVariables(data, { positions });
    const named = Object.entries(partials).map(([name, text]) => compilePartial(name, text, isTranslated));
    const language = languageOf({ requested: locale, data: given, translations, missing });
    const render = (text: string): string => {
      // Each UTF-16 code unit needs at least one byte, so a limit in code units is never too strict.
      const html = renderProgram(programs.get(text, isTranslated), data, {
        source: text,
        maxLength: budget,
        partials: named,
        missing,
        language,
        writeValue,
      });
      budget -= Buffer.byteLength(html);
      if (budget < 0) throw tooLong();
      return html;
    };
    const found = () => ({
      ...missing.found(),
      ...(language.replaced && { replacedLanguage: language.replaced }),
    });
    const html = render(source);
    if (!parts) return { ok: true, value: { html, ...found() } };

    const rendered: Record<string, string> = {};
    for (const [name, text] of Object.entries(parts)) {
      part = name;
      rendered[name] = render(replacePageVariables(text, data));
    }
    return { ok: true, value: { html, parts: rendered, ...found() } };
  } catch (error) {
    return failure(error, part);
  }
}

function languageOf(parts: ConstructorParameters<typeof Language>[0]): Language {
  try {
    return new Language(parts);
  } catch (error) {
    throw error instanceof HelperFault ? new TemplateFault(`the template ${error.message}`) : error;
  }
}

function compilePartial(name: string, source: string, isTranslated: boolean): NamedProgram {
  try {
    return { name, source, program: programs.get(source, isTranslated) };
  } catch (error) {
    throw error instanceof TemplateFault ? inPartial(name, error) : error;
  }
}

function failure(error: unknown, part?: string): Result<never> {
  if (error instanceof TemplateFault) return toFailure(error, part);
  throw error;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
