import { replacePageVariables } from '@platen/templates/page-variables';
import {
  decodeText,
  encodeText,
  explainTaskFailure,
  invalid,
  notFound,
  RawJson,
  type Handlebars,
} from '../../src/plugin.ts';
import type { DataFault, TemplateSource } from '../templates/contract.ts';
import type { DocumentRequest, Source } from './contract.ts';
import { addStyles } from './extra-styles.ts';
import { requireInertMarginal } from './marginals.ts';
import type { ReactDocument } from './react/react-renderer.ts';

/** HTML that is ready to be printed, or a component that becomes it in a page, with header and footer. */
export interface ResolvedSource {
  document: string | ReactDocument;
  header: string | undefined;
  footer: string | undefined;
}

type Marginals = Pick<ResolvedSource, 'header' | 'footer'>;

/** A request, and whose stored templates it may use. */
export interface OwnedRequest extends DocumentRequest {
  accountId: string;
}

/** Takes what the data lack of the schema of a stored template. */
export type NoteMismatches = (faults: readonly DataFault[]) => void;

type StoredSource = Extract<Source, { templateId: string }>;

interface SourceParts {
  handlebars: Handlebars;
  templates: TemplateSource | undefined;
}

/** Templates and components are given an object even when their caller sent none. */
const NO_DATA = RawJson.of({});

/** The time that Handlebars may take. */
const TEMPLATE_TIMEOUT_MS = 5_000;

const blame = {
  deadline: `the template was not finished after ${TEMPLATE_TIMEOUT_MS} ms`,
  memory: 'the template needs more memory than it may have',
  waiting: 'templates',
  failed: 'the template could not be compiled',
};

/**
 * Turns what a caller sent into HTML. Raw HTML without data stays as it is, templates are compiled in the sandbox, and a
 * component stays a component until it is in a page.
 * @throws {AppError} VALIDATION_ERROR with line and column for a template that does not parse or fails on the data; NOT_FOUND
 * for an unknown template.
 */
export async function resolveSource(
  request: OwnedRequest,
  parts: SourceParts,
  note: NoteMismatches,
): Promise<ResolvedSource> {
  const { header, footer } = request.options ?? {};
  const resolved = await resolve(request, parts, { marginals: { header, footer }, note });
  requireInertMarginal('options.header', resolved.header);
  requireInertMarginal('options.footer', resolved.footer);
  return resolved;
}

async function resolve(
  { accountId, source, data, styles }: OwnedRequest,
  { handlebars, templates }: SourceParts,
  { marginals, note }: { marginals: Marginals; note: NoteMismatches },
): Promise<ResolvedSource> {
  if ('react' in source) {
    const compiled = await compileMarginals(handlebars, data, marginals);
    return { ...compiled, document: { source: source.react, data: data ?? NO_DATA, styles } };
  }
  if ('html' in source && data === undefined)
    return { ...plainMarginals(marginals), document: addStyles(source.html, styles) };
  const template =
    'html' in source ? source.html : await findTemplate({ accountId, source, data }, templates, note);
  const path = 'html' in source ? 'html' : 'template';
  const { html, ...compiled } = await compile(handlebars, path, template, data ?? NO_DATA, marginals);
  return { ...compiled, document: addStyles(html, styles) };
}

/**
 * Refuses what can be seen to be wrong before anything is made: a stored template where there are none, and a header or footer that
 * is not inert as it stands. One that Handlebars changes is looked at after that.
 * @throws {AppError} VALIDATION_ERROR
 */
export function checkSource({ source, data, options = {} }: DocumentRequest, parts: SourceParts): void {
  if ('templateId' in source) requireTemplates(parts.templates);
  else if (data === undefined) {
    const { header, footer } = plainMarginals({ header: options.header, footer: options.footer });
    requireInertMarginal('options.header', header);
    requireInertMarginal('options.footer', footer);
  }
}

/** A component needs no Handlebars; header and footer do when there are data for them. */
async function compileMarginals(
  handlebars: Handlebars,
  data: DocumentRequest['data'],
  marginals: Marginals,
): Promise<Marginals> {
  if (data === undefined || (!marginals.header && !marginals.footer)) return plainMarginals(marginals);
  const { header, footer } = await compile(handlebars, 'react', '', data, marginals);
  return { header, footer };
}

function requireTemplates(templates: TemplateSource | undefined): TemplateSource {
  if (templates) return templates;
  throw invalid('template', 'stored templates are not available: the plugin "templates" is off; send html');
}

async function findTemplate(
  { accountId, source, data = NO_DATA }: Omit<OwnedRequest, 'output'> & { source: StoredSource },
  templates: TemplateSource | undefined,
  note: NoteMismatches,
): Promise<string> {
  const { templateId, templateVersion } = source;
  const known = requireTemplates(templates);
  const found = await known.find(accountId, templateId, templateVersion);
  const which = templateVersion === undefined ? '' : ` in version ${templateVersion}`;
  if (found === null) throw notFound(`template ${templateId}${which}`);
  note(await known.checkData(found.schema, data));
  return found.html;
}

async function compile(
  handlebars: Handlebars,
  path: string,
  source: string,
  data: RawJson,
  marginals: Marginals,
): Promise<Marginals & { html: string }> {
  const parts = Object.fromEntries(
    Object.entries(marginals).filter(([, html]) => html !== undefined),
  ) as Record<string, string>;
  try {
    const result = await handlebars.renderTemplate(
      { source: await encodeText(source), data: data.bytes, parts },
      { timeoutMs: TEMPLATE_TIMEOUT_MS },
    );
    if (!result.ok) throw invalid(result.part ? `options.${result.part}` : path, result.message);
    const { html, parts: rendered } = result.value;
    return { html: await decodeText(html), header: rendered['header'], footer: rendered['footer'] };
  } catch (error) {
    throw explainTaskFailure(error, { ...blame, path });
  }
}

function plainMarginals({ header, footer }: Marginals): Marginals {
  return { header: pageVariables(header), footer: pageVariables(footer) };
}

function pageVariables(html: string | undefined): string | undefined {
  return html === undefined ? undefined : replacePageVariables(html);
}
