import { AppError, explainTaskFailure, type Handlebars, type TaskClient } from '../../src/plugin.ts';
import type { RenderService } from '../render/contract.ts';
import type { FaultKind } from './document/fault.ts';

/** The longest template in UTF-16 units, several times what models write. */
const MAX_TEMPLATE_LENGTH = 400_000;
const MAX_RENDERED_BYTES = 5_000_000;
const TASK_TIMEOUT_MS = 5_000;

/** What is wrong with a template: kinds are for callers, the message is for its author and may quote it. */
export interface Fault {
  kind: FaultKind;
  message: string;
}

/** What came of judging a template. */
export type Verdict = { ok: true; variables: string[] } | ({ ok: false } & Fault);

/** What judges templates. */
export interface JudgeParts {
  tasks: TaskClient<typeof import('./tasks.ts')>;
  handlebars: Handlebars;
  render: Pick<RenderService, 'tryPrint'>;
}

/** A template, what was asked for, and for whom. */
export interface JudgedTemplate {
  html: string;
  wanted: readonly string[];
  accountId: string;
  signal: AbortSignal;
}

/**
 * Judges a template: Handlebars, then HTML for all that its tags could write, then the variables, then what it becomes with placeholder
 * data, which is printed. All of it is read in the sandbox and in Chromium.
 * @throws {AppError} RATE_LIMITED when too much waits.
 */
export async function judgeTemplate(template: JudgedTemplate, parts: JudgeParts): Promise<Verdict> {
  const { html, wanted, accountId, signal } = template;
  const { tasks, handlebars, render } = parts;
  const options = { timeoutMs: TASK_TIMEOUT_MS, signal };
  if (html === '') return bad('no document', 'there is no HTML document in the answer');
  if (html.length > MAX_TEMPLATE_LENGTH)
    return bad('too long', `the document is longer than ${MAX_TEMPLATE_LENGTH} characters`);
  try {
    const inspected = await handlebars.inspectTemplate({ source: html }, options);
    if (!inspected.ok) return bad('broken Handlebars', `Handlebars: ${inspected.message}`);
    const { pieces, variables, paths, sample } = inspected.value;
    const checked = await tasks.checkTemplateHtml({ pieces }, options);
    if (!checked.ok) return checked;
    const missing = wanted.filter((name) => !isUsed(name, [...variables, ...paths]));
    if (missing.length > 0)
      return bad('missing variables', `the template does not use the variables ${missing.join(', ')}`);
    const compiled = await handlebars.compileTemplate(
      { source: html, data: sample, maxOutputBytes: MAX_RENDERED_BYTES },
      options,
    );
    if (!compiled.ok)
      return bad('broken Handlebars', `Handlebars, with placeholder data: ${compiled.message}`);
    const rendered = await tasks.checkRenderedHtml({ html: compiled.value.html }, options);
    if (!rendered.ok) return rendered;
    await render.tryPrint({ accountId, html: compiled.value.html });
    return { ok: true, variables: [...new Set([...variables, ...wanted])] };
  } catch (error) {
    signal.throwIfAborted();
    return fromFailure(explainTaskFailure(error, blame));
  }
}

/** How a failure of a task on a template is reported. */
export const blame = {
  path: '',
  deadline: 'it takes too long to read',
  memory: 'it takes too much memory to read',
  waiting: 'templates',
  failed: 'the template could not be read',
};

/** What the template did to those who read or printed it is its fault; that they are busy is not. */
function fromFailure(error: unknown): Verdict {
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'VALIDATION_ERROR') return bad('broken HTML', error.message);
  if (error.code !== 'INTERNAL_ERROR' || error.details.length === 0) throw error;
  return bad('a document that could not be printed', 'it could not be printed; make it simpler and shorter');
}

function bad(kind: FaultKind, message: string): Verdict {
  return { ok: false, kind, message };
}

/** A name is used as it stands, or as the beginning of a path: `customer` by `customer.name`. */
function isUsed(name: string, used: readonly string[]): boolean {
  return used.some((path) => path === name || path.startsWith(`${name}.`));
}
