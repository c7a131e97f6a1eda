import { replacePageVariables } from '@platen/templates/page-variables';
import {
  decodeText,
  encodeText,
  explainTaskFailure,
  invalid,
  notFound,
  RawJson,
  TimeSlice,
} from '../../../src/plugin.ts';
import type { ConvertMarkdown } from '../markdown/markdown.ts';
import type { GenerateOptions } from '../../documents/contract.ts';
import type { DataFault, TemplateSource } from '../../templates/contract.ts';
import type { PageOptions } from '../page/page-options.ts';
import type { SiteDocument } from '../page/site.ts';
import type { DocumentRequest, PageRequest, Source } from '../contract.ts';
import type { UrlDocument } from '../url/url-source.ts';
import { addStyles } from './extra-styles.ts';
import { inputTypeOf } from '../generations/generation.ts';
import { noting, withPartials, type TemplateRenderer } from './partials.ts';
import { requireInertHeaderOrFooter } from '../print/header-footer.ts';
import { firstPageOf, type PrintSetup } from '../print/print-options.ts';
import type { ReactDocument } from '../react/react-renderer.ts';
import type { MissingVariable, ReplacedLanguage } from '../receipt/receipt.ts';
import { describeMismatch } from '../receipt/warnings.ts';
import { RenderError, toTemplateError } from '../render-error.ts';

/**
 * A document that is ready to be printed, with its header and footer: HTML, a component that a browser page
 * renders to HTML, or a web page.
 */
export interface ResolvedSource {
  document: string | ReactDocument | UrlDocument | SiteDocument;
  header: string | undefined;
  footer: string | undefined;
  /** The header and footer of the first page, when they differ. */
  firstPage: PrintSetup['firstPage'];
  /** The browser that the request names, or else its stored template. */
  browser?: PrintSetup['browser'];
}

type HeaderFooter = Pick<ResolvedSource, 'header' | 'footer'>;

/** A request and its account, whose stored templates it may use. */
export interface OwnedRequest extends PageRequest {
  accountId: string;
}

/** Receives the faults of the data. */
export interface DataNotes {
  /** Receives the differences between the data and the schema of a stored template. */
  noteMismatches(faults: readonly DataFault[]): void;
  /** Receives the variables that a template needs and the data lacks. */
  noteMissingVariables(variables: readonly MissingVariable[]): void;
  /** Receives the language of the document, if another language was printed in its place. */
  noteReplacedLanguage(language: ReplacedLanguage): void;
}

type StoredSource = Extract<Source, { templateId: string }>;
type StoredTemplate = NonNullable<Awaited<ReturnType<TemplateSource['find']>>>;

/** The services that {@link resolveSource} uses. */
export interface SourceParts {
  handlebars: TemplateRenderer;
  templates: TemplateSource | undefined;
  convertMarkdown: ConvertMarkdown;
}

/** The data of templates and components whose caller sent none. */
const NO_DATA = RawJson.of({});

const TEMPLATE_TIMEOUT_MS = 5_000;

const TEMPLATE_FAILURES = {
  deadline: `rendering the template takes longer than ${TEMPLATE_TIMEOUT_MS} ms`,
  memory: 'rendering the template exceeds the memory limit',
  waiting: 'templates',
  failed: 'the template could not be rendered',
};

/**
 * Resolves the source of a request to HTML. HTML without data stays as it is, templates are rendered and
 * Markdown is converted in the sandbox, a component stays a component until a browser page renders it, and a
 * URL stays a URL until a browser page loads it.
 * @throws {RenderError} TEMPLATE_ERROR with line and column for a template that does not parse or fails on
 * the data, or whose header or footer is not inert.
 * @throws {AppError} NOT_FOUND for an unknown template.
 */
export async function resolveSource(
  request: OwnedRequest,
  parts: SourceParts,
  notes: DataNotes,
): Promise<ResolvedSource> {
  const withNotes = noting(parts.handlebars, ({ missing, replacedLanguage }) => {
    notes.noteMissingVariables(missing);
    if (replacedLanguage) notes.noteReplacedLanguage(replacedLanguage);
  });
  const handlebars = withPartials(withNotes, parts.templates, request.accountId);
  const { translationsJson, ...resolved } = await resolve(request, { ...parts, handlebars }, notes);
  if (request.page?.nativeHeaders) return { ...resolved, firstPage: undefined };
  const firstPage = await resolveFirstPage({ ...request, translationsJson }, handlebars, resolved);
  const slice = new TimeSlice();
  try {
    for (const [path, html] of [
      ['options.header', resolved.header],
      ['options.footer', resolved.footer],
      ['options.firstPage.header', firstPage?.header],
      ['options.firstPage.footer', firstPage?.footer],
    ] as const) {
      if (slice.isOver) await slice.next();
      requireInertHeaderOrFooter(path, html);
    }
  } catch (error) {
    throw toTemplateError(error);
  }
  return { ...resolved, firstPage };
}

async function resolve(
  { accountId, source, data, locale, translationsJson, styles, options = {}, page = {} }: OwnedRequest,
  { handlebars, templates, convertMarkdown }: SourceParts,
  notes: DataNotes,
): Promise<Omit<ResolvedSource, 'firstPage'> & { translationsJson?: string | undefined }> {
  const { header, footer } = options;
  if (page.nativeHeaders) return { header, footer, document: await resolveNative(source, { styles, page }) };
  if ('url' in source) return { ...fillPageVariables({ header, footer }), document: { ...source, styles } };
  if ('react' in source) {
    const rendered = await renderHeaderFooter(handlebars, data, { header, footer });
    return { ...rendered, document: { source: source.react, data: data ?? NO_DATA, styles } };
  }
  const toDocument = async (text: string) =>
    addStyles('markdown' in source ? await convertMarkdown(text) : text, styles);
  const text = 'html' in source ? source.html : 'markdown' in source ? source.markdown : undefined;
  if (text !== undefined && data === undefined && translationsJson === undefined)
    return { ...fillPageVariables({ header, footer }), document: await toDocument(text) };
  const found =
    'templateId' in source ? await findTemplate({ accountId, source, data }, templates, notes) : undefined;
  const translations = found?.translationsJson ?? translationsJson;
  const { html, ...rendered } = await renderTemplate(handlebars, {
    path: inputTypeOf(source),
    template: found?.html ?? text ?? '',
    data: data ?? NO_DATA,
    locale,
    translationsJson: translations,
    headerFooter: { header, footer },
  });
  const browser = options.browser ?? browserOf(found?.optionsJson);
  return { ...rendered, document: await toDocument(html), browser, translationsJson: translations };
}

/** Resolves a source beside which header and footer are Chromium's own templates. */
async function resolveNative(
  source: Source,
  { styles, page }: Pick<PageRequest, 'styles'> & { page: PageOptions },
): Promise<ResolvedSource['document']> {
  if ('url' in source) return { ...source, styles };
  if (!('html' in source)) throw new TypeError('only HTML and URLs have native headers');
  const html = await addStyles(source.html, styles);
  return page.files ? { html, files: page.files } : html;
}

/**
 * Renders the header and footer of the first page. They are templates if the headers of the other pages are.
 */
async function resolveFirstPage(
  { source, data, locale, translationsJson, options = {} }: OwnedRequest,
  handlebars: TemplateRenderer,
  others: HeaderFooter,
): Promise<PrintSetup['firstPage']> {
  if (!options.firstPage) return undefined;
  const { header, footer } = options.firstPage;
  const values = 'templateId' in source ? (data ?? NO_DATA) : data;
  if (values === undefined) return firstPageOf(others, fillPageVariables({ header, footer }));
  const job = {
    path: 'options.firstPage',
    options: 'options.firstPage',
    template: '',
    data: values,
    locale,
    translationsJson,
  };
  const rendered = await renderTemplate(handlebars, { ...job, headerFooter: { header, footer } });
  return firstPageOf(others, rendered);
}

/**
 * Rejects a request that is invalid before anything is rendered: a stored template while the templates plugin
 * is off, and a header or footer that is not inert. A header or footer that is a template is checked once it
 * is rendered.
 * @throws {AppError} VALIDATION_ERROR
 */
export function checkSource(
  { source, data, options = {}, page }: PageRequest,
  { templates }: Pick<SourceParts, 'templates'>,
): void {
  if (page?.nativeHeaders) return;
  if ('templateId' in source) requireTemplates(templates);
  else if (data === undefined) {
    const { header, footer } = fillPageVariables({ header: options.header, footer: options.footer });
    requireInertHeaderOrFooter('options.header', header);
    requireInertHeaderOrFooter('options.footer', footer);
    const firstPage = fillPageVariables({
      header: options.firstPage?.header,
      footer: options.firstPage?.footer,
    });
    requireInertHeaderOrFooter('options.firstPage.header', firstPage.header);
    requireInertHeaderOrFooter('options.firstPage.footer', firstPage.footer);
  }
}

/** Returns a request that names its stored template by id, not by alias. */
export async function withTemplateId<T extends Pick<DocumentRequest, 'source'>>(
  accountId: string,
  request: T,
  { templates }: Pick<SourceParts, 'templates'>,
): Promise<T> {
  const { source } = request;
  if (!('templateId' in source)) return request;
  const templateId = await templates?.resolveAlias?.(accountId, source.templateId);
  return templateId === undefined ? request : { ...request, source: { ...source, templateId } };
}

/**
 * Returns a request whose stored template has a version, the current one unless the request names one. The
 * draft stays the draft, because its content is deleted when another draft replaces it.
 * @throws {AppError} NOT_FOUND for an unknown template or version.
 */
export async function pinTemplate<T extends Pick<DocumentRequest, 'source'>>(
  accountId: string,
  request: T,
  { templates }: Pick<SourceParts, 'templates'>,
): Promise<T> {
  const { source } = request;
  if (!('templateId' in source)) return request;
  const { version } = await findStored(accountId, source, templates);
  if (source.templateVersion === 'draft') return request;
  return { ...request, source: { ...source, templateVersion: version } };
}

/** Renders the header and footer of a component. They are templates only when there is data. */
async function renderHeaderFooter(
  handlebars: TemplateRenderer,
  data: DocumentRequest['data'],
  headerFooter: HeaderFooter,
): Promise<HeaderFooter> {
  if (data === undefined || (!headerFooter.header && !headerFooter.footer))
    return fillPageVariables(headerFooter);
  const job = { path: 'react', template: '', data, headerFooter };
  const { header, footer } = await renderTemplate(handlebars, job);
  return { header, footer };
}

function requireTemplates(templates: TemplateSource | undefined): TemplateSource {
  if (templates) return templates;
  throw invalid('template', 'stored templates are not available: the plugin "templates" is off; send html');
}

/** @throws {AppError} NOT_FOUND */
async function findStored(
  accountId: string,
  source: StoredSource,
  templates: TemplateSource | undefined,
): Promise<StoredTemplate> {
  const found = await requireTemplates(templates).find(accountId, source.templateId, source.templateVersion);
  if (found === null) throw notFound(nameOf(source));
  return found;
}

async function findTemplate(
  { accountId, source, data = NO_DATA }: Omit<OwnedRequest, 'output'> & { source: StoredSource },
  templates: TemplateSource | undefined,
  notes: DataNotes,
): Promise<StoredTemplate> {
  const found = await findStored(accountId, source, templates);
  noteSchemaFaults(await requireTemplates(templates).checkData(found.schema, data), notes);
  return found;
}

/** Reads the browser from the options of a stored template, which were checked when they were stored. */
function browserOf(optionsJson: string | null | undefined): PrintSetup['browser'] {
  return (JSON.parse(optionsJson ?? '{}') as Pick<GenerateOptions, 'browser'>).browser;
}

/**
 * Notes the differences between data and the schema of its template.
 * @throws {RenderError} SCHEMA_MISMATCH if the schema requires a variable that is missing or has another type
 */
export function noteSchemaFaults(
  faults: readonly DataFault[],
  notes: Pick<DataNotes, 'noteMismatches'> | undefined,
): void {
  notes?.noteMismatches(faults);
  requireRequired(faults);
}

function nameOf({ templateId, templateVersion }: StoredSource): string {
  if (templateVersion === 'draft') return `draft of template ${templateId}`;
  return `template ${templateId}${templateVersion === undefined ? '' : ` in version ${templateVersion}`}`;
}

/**
 * @throws {RenderError} SCHEMA_MISMATCH when a variable that the schema requires is missing or has another
 * type.
 */
function requireRequired(faults: readonly DataFault[]): void {
  const required = faults.filter(({ expected }) => expected.endsWith('!'));
  if (required.length === 0) return;
  const details = faults.map((fault) => ({ ...describeMismatch(fault), path: fault.path }));
  const [first] = required.map((fault) => describeMismatch(fault).message);
  const others = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  throw new RenderError('SCHEMA_MISMATCH', `${first}${others}`, { details });
}

interface TemplateJob {
  /** The field that an error names. */
  path: string;
  /** The path of the options with header and footer. */
  options?: string;
  template: string;
  data: RawJson;
  locale?: string | undefined;
  translationsJson?: string | undefined;
  headerFooter: HeaderFooter;
}

async function renderTemplate(
  handlebars: TemplateRenderer,
  { path, options = 'options', template, data, locale, translationsJson, headerFooter }: TemplateJob,
): Promise<HeaderFooter & { html: string }> {
  const parts = Object.fromEntries(
    Object.entries(headerFooter).filter(([, html]) => html !== undefined),
  ) as Record<string, string>;
  try {
    const result = await handlebars.renderTemplate(
      { source: await encodeText(template), data: data.bytes, parts, locale, translationsJson },
      { timeoutMs: TEMPLATE_TIMEOUT_MS },
    );
    if (!result.ok)
      throw new RenderError('TEMPLATE_ERROR', result.message, {
        path: result.part ? `${options}.${result.part}` : path,
      });
    const { html, parts: rendered } = result.value;
    return { html: await decodeText(html), header: rendered['header'], footer: rendered['footer'] };
  } catch (error) {
    throw toTemplateError(explainTaskFailure(error, { ...TEMPLATE_FAILURES, path }));
  }
}

/** Replaces the page variables of a header and footer that are not templates. */
function fillPageVariables({ header, footer }: HeaderFooter): HeaderFooter {
  return {
    header: header === undefined ? undefined : replacePageVariables(header),
    footer: footer === undefined ? undefined : replacePageVariables(footer),
  };
}
