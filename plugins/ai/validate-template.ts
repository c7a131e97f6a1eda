import { AppError, explainTaskFailure, type TaskClient } from '../../src/plugin.ts';
import type { Handlebars } from '../documents/contract.ts';
import type { RenderService } from '../render/contract.ts';
import type { FaultKind } from './document/fault.ts';

/** The longest template in UTF-16 code units, several times the length of typical answers. */
const MAX_TEMPLATE_LENGTH = 400_000;
const MAX_RENDERED_BYTES = 5_000_000;
const TASK_TIMEOUT_MS = 5_000;

/**
 * A fault in a template. The kind is shown to callers; the message is for the model and may quote the
 * template.
 */
export interface Fault {
  kind: FaultKind;
  message: string;
}

type ValidationResult = { ok: true; variables: string[] } | ({ ok: false } & Fault);

/** The services that validation uses. */
export interface ValidatorParts {
  tasks: TaskClient<typeof import('./tasks.ts')>;
  handlebars: Handlebars;
  render: Pick<RenderService, 'tryPrint'>;
}

/** A template with the variables that it must use and the account it is for. */
interface TemplateToValidate {
  html: string;
  required: readonly string[];
  accountId: string;
  signal: AbortSignal;
}

/**
 * Validates a template: its Handlebars, its HTML for every possible rendering, its variables, and its
 * rendering with placeholder data, which is printed. The template is only read in the sandbox and in
 * Chromium.
 * @throws {AppError} RATE_LIMITED when too many tasks are waiting.
 */
export async function validateTemplate(
  template: TemplateToValidate,
  parts: ValidatorParts,
): Promise<ValidationResult> {
  const { html, required, accountId, signal } = template;
  const { tasks, handlebars, render } = parts;
  const options = { timeoutMs: TASK_TIMEOUT_MS, signal };
  if (html === '') return invalid('no document', 'the answer contains no HTML document');
  if (html.length > MAX_TEMPLATE_LENGTH)
    return invalid('too long', `the document is longer than ${MAX_TEMPLATE_LENGTH} characters`);
  try {
    const inspected = await handlebars.inspectTemplate({ source: html }, options);
    if (!inspected.ok) return invalid('broken Handlebars', `Handlebars: ${inspected.message}`);
    const { pieces, variables, paths, sample } = inspected.value;
    const checked = await tasks.checkTemplateHtml({ pieces }, options);
    if (!checked.ok) return checked;
    const missing = required.filter((name) => !isUsed(name, [...variables, ...paths]));
    if (missing.length > 0)
      return invalid('missing variables', `the template does not use the variables ${missing.join(', ')}`);
    const compiled = await handlebars.compileTemplate(
      { source: html, data: sample, maxOutputBytes: MAX_RENDERED_BYTES },
      options,
    );
    if (!compiled.ok)
      return invalid('broken Handlebars', `Handlebars, with placeholder data: ${compiled.message}`);
    const rendered = await tasks.checkRenderedHtml({ html: compiled.value.html }, options);
    if (!rendered.ok) return rendered;
    await render.tryPrint({ accountId, html: compiled.value.html });
    return { ok: true, variables: [...new Set([...variables, ...required])] };
  } catch (error) {
    signal.throwIfAborted();
    return fromFailure(explainTaskFailure(error, TASK_FAILURES));
  }
}

/** Messages for failures of the tasks that read a template. */
export const TASK_FAILURES = {
  path: '',
  deadline: 'it takes too long to read',
  memory: 'it takes too much memory to read',
  waiting: 'templates',
  failed: 'the template could not be read',
};

/**
 * Turns a failure that the template caused into a fault. Rethrows failures of the service, such as overload.
 */
function fromFailure(error: unknown): ValidationResult {
  if (!(error instanceof AppError)) throw error;
  if (error.code !== 'VALIDATION_ERROR') throw error;
  // Only faults that are found while a document is printed have a code.
  if (error.details[0]?.code === undefined) return invalid('broken HTML', error.message);
  return invalid(
    'a document that could not be printed',
    'the document could not be printed; make it simpler and shorter',
  );
}

function invalid(kind: FaultKind, message: string): ValidationResult {
  return { ok: false, kind, message };
}

/** Tells whether the template uses the name itself or a path below it: `customer.name` uses `customer`. */
function isUsed(name: string, used: readonly string[]): boolean {
  return used.some((path) => path === name || path.startsWith(`${name}.`));
}
