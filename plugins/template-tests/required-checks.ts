import { AppError } from '../../src/plugin.ts';
import type { CheckVersion, TemplatesService, TemplateWithHtml } from '../templates/contract.ts';
import type { Cases } from './cases.ts';
import { checkCases, type CheckServices } from './check.ts';
import { NO_IMAGES } from './check-images.ts';

/**
 * Creates the check of versions of templates that require checks. Cases that were equal with the same draft
 * before, or whose pages with it were accepted, pass without another comparison.
 */
export function createVersionCheck(parts: CheckServices & { cases: Cases }): CheckVersion {
  const { cases } = parts;
  return async (candidate) => {
    const all = await cases.all(candidate.id);
    if (all.length === 0) return null;
    const open = all.filter(({ passedVersion }) => passedVersion !== candidate.version);
    const account = { id: candidate.accountId };
    const checked = await checkCases(parts, { account, candidate, cases: open, images: NO_IMAGES });
    const statuses = new Map(checked.map(({ name, status }) => [name, status]));
    const results = all.map((found) => ({ name: found.name, status: statuses.get(found.name) ?? 'equal' }));
    return {
      passed: results.every(({ status }) => status === 'equal'),
      cases: results,
      noteDraft: (version) =>
        cases.notePassed(
          all.filter(({ name }) => (statuses.get(name) ?? 'equal') === 'equal'),
          version,
        ),
    };
  };
}

/**
 * Makes a draft the current version if its template requires checks and all its cases pass with it. A test
 * key changes no public template. Returns whether it did.
 */
export async function promoteIfPassed(
  { cases, templates }: { cases: Pick<Cases, 'all'>; templates: Pick<TemplatesService, 'promote'> },
  { candidate, isTest }: { candidate: TemplateWithHtml; isTest: boolean },
): Promise<boolean> {
  const { id, accountId, requireChecks, draft, version, isPublic } = candidate;
  if (requireChecks !== true || draft?.version !== version || (isTest && isPublic)) return false;
  if ((await cases.all(id)).some(({ passedVersion }) => passedVersion !== version)) return false;
  try {
    await templates.promote(accountId, id, version);
    return true;
  } catch (error) {
    // The current version has changed since the draft was stored, or the draft was replaced or deleted.
    if (error instanceof AppError && ['CONFLICT', 'NOT_FOUND'].includes(error.code)) return false;
    throw error;
  }
}
