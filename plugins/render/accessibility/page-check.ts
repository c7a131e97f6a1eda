import { DESCRIBED } from '@platen/pdf-standards/described-elements';
import { guarded, type Evaluate } from '../paged/paged-media.ts';
import { FIELD_LINK } from '../paged/signature-fields.ts';
import { RenderError } from '../render-error.ts';
import { checkDocument, type AccessibleSetup, type PageAccessibility } from './page/check-document.ts';
import { describeElements } from './page/describe-elements.ts';
import { describeGraphics } from './page/describe-graphics.ts';
import { exposeLanguages } from './page/expose-languages.ts';
import { findHabits } from './page/find-habits.ts';
import { findUnread } from './page/find-unread.ts';
import { readField } from './page/read-field.ts';
import { readFormula } from './page/read-formula.ts';
import { selectDeep } from './page/select-deep.ts';

const LIMITS = { maxFindings: 50, maxLinks: 2_000, maxColours: 5_000 };
/** The source text of an object with the functions that run in the browser page. */
const PARTS = `{
  described: ${JSON.stringify(DESCRIBED)},
  selectDeep: ${String(selectDeep)},
  readField: ${String(readField)},
  readFormula: ${String(readFormula)},
  findUnread: ${String(findUnread)},
  findHabits: ${String(findHabits)},
}`;

/** Prepares a loaded document for printing with tags. */
export async function prepareAccessible(evaluate: Evaluate): Promise<void> {
  await evaluate(
    guarded(
      `[(${String(describeElements)})(${PARTS}), (${String(describeGraphics)})(${String(selectDeep)}), (${String(exposeLanguages)})()]`,
    ),
  );
}

/**
 * Checks a document that has been printed. @throws {RenderError} when the document interferes with the check.
 */
export async function checkAccessible(
  evaluate: Evaluate,
  setup: AccessibleSetup,
): Promise<PageAccessibility> {
  const settings = JSON.stringify({ ...LIMITS, ...setup, fieldLink: FIELD_LINK });
  const found = (await evaluate(guarded(`(${String(checkDocument)})(${settings}, ${PARTS})`))) as
    | PageAccessibility
    | { fault: string };
  if (!('fault' in found)) return found;
  throw new RenderError(
    'RENDER_FAILED',
    `the accessibility of the document cannot be checked: ${found.fault}`,
  );
}
