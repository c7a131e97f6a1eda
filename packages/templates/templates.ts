import { replacePageVariables } from './page-variables.ts';
import { TemplateCache } from './cache.ts';
import { TemplateFault, toFailure, tooLong, type Result } from './fault.ts';
import { inspectSource, type TemplateInspection } from './inspection.ts';
import { compileProgram, renderProgram } from './program.ts';

/** A template and the data that it is rendered with. */
export interface CompileInput {
  source: string;
  /** A JSON object: only its own properties are read, and nothing of it is called. */
  data: unknown;
  /** Small templates by name (`header`, `footer`) that are rendered with the same data; page variables in them are kept for Chromium. */
  parts?: Record<string, string>;
  /** UTF-8, template and parts together; 20,000,000 when absent. */
  maxOutputBytes?: number;
}

/** What a template became. `parts` is there when the input had it. */
export interface CompiledTemplate {
  html: string;
  parts?: Record<string, string>;
}

const DEFAULT_MAX_OUTPUT_BYTES = 20_000_000;

// One cache a thread.
const programs = new TemplateCache(compileProgram);

/** Checks that a template parses and compiles. The failure is `TEMPLATE_ERROR` with line and column. */
export function parseTemplate({ source }: { source: string }): Result<Record<string, never>> {
  try {
    programs.get(source);
    return { ok: true, value: {} };
  } catch (error) {
    return failure(error);
  }
}

/** Checks that a template compiles, and tells what it is made of. The failure is `TEMPLATE_ERROR` with line and column. */
export function inspectTemplate({ source }: { source: string }): Result<TemplateInspection> {
  try {
    programs.get(source);
    return { ok: true, value: inspectSource(source) };
  } catch (error) {
    return failure(error);
  }
}

/**
 * Renders a template, and its parts, with data. The helpers are Handlebars' own and those of
 * `helpers/table.ts`, the partials inline ones: nothing reads files, environment or network. The failure is `TEMPLATE_ERROR`, with line and column when the place is known.
 */
export function compileTemplate(input: CompileInput): Result<CompiledTemplate> {
  const { source, data, parts, maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES } = input;
  let part: string | undefined;
  try {
    if (!isPlainObject(data)) throw new TemplateFault('the data must be a JSON object');
    let budget = maxOutputBytes;
    const render = (text: string): string => {
      // A UTF-16 code unit is at least one byte, so the bound on units while rendering is never too strict.
      const html = renderProgram(programs.get(text), data, { source: text, maxLength: budget });
      budget -= Buffer.byteLength(html);
      if (budget < 0) throw tooLong();
      return html;
    };
    const html = render(source);
    if (!parts) return { ok: true, value: { html } };

    const rendered: Record<string, string> = {};
    for (const [name, text] of Object.entries(parts)) {
      part = name;
      rendered[name] = render(replacePageVariables(text));
    }
    return { ok: true, value: { html, parts: rendered } };
  } catch (error) {
    return failure(error, part);
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
