import { type Sandbox } from '../../../src/plugin.ts';
import { unwrapTaskResult } from '../../files/exports.ts';
import type { MadePdf } from '../../files/contract.ts';
import type { GenerateOptions } from '../../documents/contract.ts';
import { RenderError, toDocumentFailure } from '../render-error.ts';
import type { PageAccessibility, PageFinding } from './page/check-document.ts';

/** A finding in a receipt. `path` is the CSS path of an element, or the clause of ISO 14289-1. */
export interface AccessibilityFinding {
  path: string;
  code: string;
  severity: 'error' | 'warning';
  message: string;
}

/** The result of making a PDF accessible. */
export interface AccessibilityReport {
  /** The standard that the PDF claims, and that a check has confirmed; `null` if it claims none. */
  claim: 'pdfua-1' | null;
  findings: { entries: AccessibilityFinding[]; omitted: number };
}

/** A printed PDF to make accessible. */
export interface AccessibilityJob {
  pdf: Uint8Array;
  page: PageAccessibility;
  options: Pick<GenerateOptions, 'accessible' | 'properties'>;
}

/** Makes a PDF accessible. @throws {RenderError} NOT_ACCESSIBLE unless the request asks for a report. */
export type MakeAccessible = (
  job: AccessibilityJob,
) => Promise<Pick<MadePdf, 'pdf' | 'claims'> & { report: AccessibilityReport }>;

const TIMEOUT_MS = 60_000;
/** The code of findings in the finished PDF. */
const PDF_FINDING = 'NOT_ACCESSIBLE';

/** Creates the function that makes PDFs accessible in the sandbox. */
export function createAccessibility(sandbox: Sandbox): MakeAccessible {
  const tasks = sandbox.load<typeof import('@platen/pdf-standards/accessibility-task')>(
    new URL(import.meta.resolve('@platen/pdf-standards/accessibility-task')),
  );
  return async ({ pdf, page, options: { accessible, properties = {} } }) => {
    const isStrict = accessible === true;
    const hasErrors = page.findings.some(({ severity }) => severity === 'error');
    const call = tasks.makeAccessibleAndCheck(
      {
        pdf,
        title: properties.title?.trim() || page.title,
        language: properties.language || page.language,
        links: page.links,
        claimsPdfua: !hasErrors,
      },
      { timeoutMs: TIMEOUT_MS },
    );
    const made = await unwrapTaskResult('pdf', call, TIMEOUT_MS).catch((error: unknown) => {
      throw toDocumentFailure(error);
    });
    const violations = made.violations.map(({ clause, message }): AccessibilityFinding => ({
      path: `ISO 14289-1, ${clause}`,
      code: PDF_FINDING,
      severity: 'error',
      message,
    }));
    if (isStrict && violations.length > 0) throw notAccessible(violations, 0);
    const { findings, omitted } = page;
    const entries = [...findings, ...violations];
    const claim = made.claims.length > 0 ? 'pdfua-1' : null;
    return { pdf: made.pdf, claims: made.claims, report: { claim, findings: { entries, omitted } } };
  };
}

/** Rejects a document with faults that only its author can correct. @throws {RenderError} NOT_ACCESSIBLE */
export function requireAccessible({ findings, omitted }: PageAccessibility): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw notAccessible(errors, omitted);
}

function notAccessible(
  faults: readonly (PageFinding | AccessibilityFinding)[],
  omitted: number,
): RenderError {
  const [first] = faults;
  const more = faults.length + omitted - 1;
  const rest = more > 0 ? `, and ${more} more fault${more === 1 ? '' : 's'}` : '';
  return new RenderError('NOT_ACCESSIBLE', `${first?.path}: ${first?.message}${rest}`, {
    details: faults.map(({ path, code, message }) => ({ path, code, message })),
  });
}
