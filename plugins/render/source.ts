import {
  AppError,
  invalid,
  notFound,
  replacePageVariables,
  ToolTaskError,
  type Handlebars,
} from '../../src/plugin.ts';
import type { TemplateSource } from '../templates/contract.ts';
import type { GenerateRequest } from './contract.ts';
import { requireInertMarginal } from './marginals.ts';

/** HTML that is ready to be printed, with its header and footer. */
export interface ResolvedSource {
  html: string;
  header: string | undefined;
  footer: string | undefined;
}

/** The time that Handlebars may take. */
const TEMPLATE_TIMEOUT_MS = 5_000;

/**
 * Turns what a caller sent into HTML. Raw HTML without data stays as it is; everything else is compiled in the tool process.
 * @throws {AppError} VALIDATION_ERROR with line and column for a template that does not parse or fails on the data; NOT_FOUND
 * for an unknown template.
 */
export async function resolveSource(
  request: GenerateRequest,
  { handlebars, templates }: { handlebars: Handlebars; templates: TemplateSource | undefined },
): Promise<ResolvedSource> {
  const { source, data, options = {} } = request;
  const path = 'html' in source ? 'html' : 'template';
  const template = 'html' in source ? source.html : await findTemplate(request.account.id, source, templates);
  const marginals = { header: options.header, footer: options.footer };
  const resolved =
    'html' in source && data === undefined
      ? { html: template, header: pageVariables(marginals.header), footer: pageVariables(marginals.footer) }
      : await compile(handlebars, path, template, data ?? {}, marginals);
  requireInertMarginal('options.header', resolved.header);
  requireInertMarginal('options.footer', resolved.footer);
  return resolved;
}

async function findTemplate(
  accountId: string,
  { templateId, templateVersion }: { templateId: string; templateVersion?: number | undefined },
  templates: TemplateSource | undefined,
): Promise<string> {
  if (!templates)
    throw invalid('template', 'stored templates are not available: the plugin "templates" is off; send html');
  const found = await templates.find(accountId, templateId, templateVersion);
  const which = templateVersion === undefined ? '' : ` in version ${templateVersion}`;
  if (found === null) throw notFound(`template ${templateId}${which}`);
  return found.html;
}

async function compile(
  handlebars: Handlebars,
  path: string,
  source: string,
  data: Record<string, unknown>,
  marginals: Pick<ResolvedSource, 'header' | 'footer'>,
): Promise<ResolvedSource> {
  const parts = Object.fromEntries(
    Object.entries(marginals).filter(([, html]) => html !== undefined),
  ) as Record<string, string>;
  try {
    const result = await handlebars.compileTemplate(
      { source, data, parts },
      { timeoutMs: TEMPLATE_TIMEOUT_MS },
    );
    if (!result.ok) throw invalid(result.part ? `options.${result.part}` : path, result.message);
    return {
      html: result.value.html,
      header: result.value.parts?.['header'],
      footer: result.value.parts?.['footer'],
    };
  } catch (error) {
    if (!(error instanceof ToolTaskError)) throw error;
    throw toAppError(path, error);
  }
}

function toAppError(path: string, error: ToolTaskError): AppError {
  switch (error.reason) {
    case 'deadline':
      return invalid(path, `the template was not finished after ${TEMPLATE_TIMEOUT_MS} ms`);
    case 'memory':
    case 'crash':
      return invalid(path, 'the template needs more memory than it may have');
    case 'busy':
    case 'aborted':
      return new AppError('RATE_LIMITED', 'the service is busy: too many templates wait', {
        retryAfterSeconds: 2,
      });
    case 'error':
      return new AppError('INTERNAL_ERROR', 'the template could not be compiled', { cause: error });
  }
}

function pageVariables(html: string | undefined): string | undefined {
  return html === undefined ? undefined : replacePageVariables(html);
}
