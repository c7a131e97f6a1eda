import { AppError, invalid, RawJson, type Account } from '../../src/plugin.ts';
import type { GenerateOptions } from '../documents/contract.ts';
import { unwrapTaskResult } from '../files/exports.ts';
import type { RenderService, UnrecordedPdf } from '../render/contract.ts';
import type { TemplateWithHtml } from '../templates/contract.ts';
import { MAX_PAGES, type AcceptedPagesStore } from './accepted-pages.ts';
import type { ImageSink } from './check-images.ts';
import { caseNotFound } from './case-name.ts';
import type { AcceptedPages, CheckedCase, LayoutFinding, TemplateCase } from './contract.ts';
import type { Tasks } from './tasks-client.ts';

/** Two PDFs of 300 pages take a quarter of this time. */
const COMPARE_TIMEOUT_MS = 60_000;
/** How long a check may take. A connection that is idle for longer is closed. */
const CHECK_TIMEOUT_MS = 100_000;
/** How many cases are rendered at once. */
const CONCURRENT_CASES = 2;
/** The largest PDF that a case may have. */
const MAX_PDF_BYTES = 27_000_000;

/** The version of a template that is checked. */
export type Candidate = Pick<
  TemplateWithHtml,
  'id' | 'html' | 'file' | 'schema' | 'version' | 'optionsJson' | 'translationsJson'
>;

/** The services that make and compare documents. */
export interface CheckServices {
  render: Pick<RenderService, 'printUnrecorded'>;
  accepted: AcceptedPagesStore;
  tasks: Pick<Tasks, 'compare'>;
  timeoutMs?: number;
}

/** Makes the document of a case. @throws {AppError} like `RenderService.printUnrecorded` */
export async function printCase(
  { render }: Pick<CheckServices, 'render'>,
  { account, candidate, found }: { account: Pick<Account, 'id'>; candidate: Candidate; found: TemplateCase },
): Promise<UnrecordedPdf> {
  const { id, html, file, schema, version, optionsJson = null, translationsJson } = candidate;
  // Both texts were checked when they were stored.
  const ofTemplate = JSON.parse(optionsJson ?? '{}') as GenerateOptions;
  const ofCase = JSON.parse(found.optionsJson ?? '{}') as GenerateOptions;
  const { signature: _, ...options } = { ...ofTemplate, ...ofCase };
  const printed = await render.printUnrecorded({
    accountId: account.id,
    ...(file
      ? { source: { templateId: id, templateVersion: version } }
      : { source: { html }, schema, translationsJson: translationsJson ?? undefined }),
    data: new RawJson(Buffer.from(found.dataJson)),
    options,
    maxPages: MAX_PAGES,
    subject: 'case',
  });
  if (printed.pdf.length > MAX_PDF_BYTES)
    throw invalid(
      'html_content',
      `makes a PDF of ${printed.pdf.length} bytes; a case has at most ${MAX_PDF_BYTES}`,
    );
  return printed;
}

/** Returns the warnings as they are stored with accepted pages. */
export function warningTexts({ warnings }: Pick<UnrecordedPdf, 'warnings'>): string[] {
  return warnings.map(({ code, message }) => `${code}: ${message}`);
}

/**
 * Checks cases, a few at a time. Cases that have not begun when the time is over fail.
 * @throws {AppError} RATE_LIMITED, UNAVAILABLE, INTERNAL_ERROR or NOT_FOUND if the service cannot check now
 */
export async function checkCases(
  parts: CheckServices,
  {
    cases,
    signal,
    ...job
  }: {
    account: Pick<Account, 'id'>;
    candidate: Candidate;
    cases: readonly TemplateCase[];
    images: ImageSink;
    signal?: AbortSignal | undefined;
  },
): Promise<CheckedCase[]> {
  const { timeoutMs = CHECK_TIMEOUT_MS } = parts;
  const endsAt = performance.now() + timeoutMs;
  const results: CheckedCase[] = [];
  const waiting = [...cases.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, found] = next;
      signal?.throwIfAborted();
      results[index] =
        performance.now() < endsAt
          ? await checkCase(parts, { ...job, found })
          : failed(found, {
              code: 'CHECK_TIMEOUT',
              message: `the check took longer than ${timeoutMs / 1000} s before this case: name fewer cases`,
            });
    }
  };
  const worker = async () =>
    work().catch((error: unknown) => {
      // The other cases are not begun.
      waiting.length = 0;
      throw error;
    });
  await Promise.all(Array.from({ length: CONCURRENT_CASES }, worker));
  return results;
}

async function checkCase(
  parts: CheckServices,
  job: {
    account: Pick<Account, 'id'>;
    candidate: Candidate;
    found: TemplateCase;
    images: ImageSink;
  },
): Promise<CheckedCase> {
  const { found, images } = job;
  const { name, accepted } = found;
  try {
    const printed = await printCase(parts, job);
    const expected = accepted ? await parts.accepted.read(accepted) : undefined;
    // The pages were replaced, or the case was deleted, since the check began.
    if (expected === null) throw caseNotFound(name);
    const call = parts.tasks.compare(
      { pdf: printed.pdf, accepted: expected, maxImages: images.left },
      { timeoutMs: COMPARE_TIMEOUT_MS },
    );
    const compared = await unwrapTaskResult('html_content', call, COMPARE_TIMEOUT_MS);
    const layout: LayoutFinding[] = [...warningFindings(printed, accepted), ...compared.layout];
    const isEqual = accepted !== null && layout.length === 0 && compared.pages.every(({ equal }) => equal);
    const urls = await images.store(compared.pages.flatMap(({ image, diff }) => [image, diff]));
    return {
      name,
      status: isEqual ? 'equal' : accepted ? 'different' : 'new',
      pages: compared.pages.map(({ page, equal, changedFraction }, index) => ({
        page,
        equal,
        changedFraction,
        imageUrl: urls[2 * index] ?? null,
        diffUrl: urls[2 * index + 1] ?? null,
      })),
      layout,
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
    const [detail] = error.details;
    return failed(found, { code: detail?.code ?? error.code, message: error.message });
  }
}

function failed({ name }: TemplateCase, error: { code: string; message: string }): CheckedCase {
  return { name, status: 'failed', error, pages: [], layout: [] };
}

/** Lists the warnings that the accepted pages do not have, if theirs are known. */
function warningFindings(printed: UnrecordedPdf, accepted: AcceptedPages | null): LayoutFinding[] {
  const known = accepted ? accepted.warnings : [];
  if (known === null) return [];
  return warningTexts(printed)
    .filter((text) => !known.includes(text))
    .map((finding) => ({ page: null, finding }));
}
