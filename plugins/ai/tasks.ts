import { TEMPLATE_HELPERS, usageOf, type TemplatePiece } from '@platen/templates';
import { DocumentCheck } from './document/check-document.ts';
import { DocumentFault, type FaultKind } from './document/fault.ts';
import { MarkedText } from './document/marked-text.ts';

/** The result of a check; a failed check reports the first fault. */
type CheckResult = { ok: true } | { ok: false; kind: FaultKind; message: string };

/** Checks the HTML of a template for every possible rendering. */
export function checkTemplateHtml({ pieces }: { pieces: readonly TemplatePiece[] }): CheckResult {
  return check(pieces, 'template');
}

export function checkRenderedHtml({ html }: { html: string }): CheckResult {
  return check([{ kind: 'text', text: html }], 'rendered');
}

/** Lists the usage of each template helper for the model's instructions. */
export function listHelpers(): string[] {
  return [...TEMPLATE_HELPERS.values()].map(usageOf);
}

function check(pieces: readonly TemplatePiece[], kind: 'template' | 'rendered'): CheckResult {
  try {
    new DocumentCheck(new MarkedText(pieces), kind).run();
    return { ok: true };
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return { ok: false, kind: error.kind, message: error.message };
  }
}
