import { AppError, invalid } from '../../src/plugin.ts';
import type { CheckVersion, DraftChange, TemplateInput, TemplateWithHtml, VersionCheck } from './contract.ts';
import { versionFieldsOf } from './versions.ts';

/** Decides whether new versions of templates that require checks become current. */
export interface RequiredChecks {
  /** Sets the function that checks versions. */
  use(check: CheckVersion): void;
  /**
   * Rejects a change that requires checks which the service or the template cannot have.
   * @throws {AppError} VALIDATION_ERROR
   */
  requirePossible(change: Partial<TemplateInput>, format: string): void;
  /**
   * Checks the version that a change would make; `undefined` if it needs no check.
   * @throws {AppError} VALIDATION_ERROR if nothing can check it
   */
  ofChange(before: TemplateWithHtml, change: Partial<TemplateInput>): Promise<VersionCheck | undefined>;
  /**
   * Checks a version that is to become current; `undefined` if it needs no check.
   * @throws {AppError} VALIDATION_ERROR if nothing can check it
   */
  ofVersion(version: TemplateWithHtml): Promise<VersionCheck | undefined>;
}

export function createRequiredChecks(): RequiredChecks {
  let check: CheckVersion | undefined;

  const requireCheck = (): CheckVersion => {
    if (!check) throw invalid('require_checks', 'needs the plugin "template-tests", which is off');
    return check;
  };
  const ofVersion: RequiredChecks['ofVersion'] = async (version) => {
    if (version.requireChecks !== true || version.file) return undefined;
    return (await requireCheck()(version)) ?? undefined;
  };

  return {
    use(given) {
      check = given;
    },
    requirePossible({ requireChecks = false }, format) {
      if (!requireChecks) return;
      requireCheck();
      if (format !== 'html')
        throw invalid('require_checks', `is not for this template, which is a ${format} file`);
    },
    ofVersion,
    async ofChange(before, change) {
      const after = { ...before, ...change };
      const isSame =
        before.html === after.html &&
        (before.optionsJson ?? null) === (after.optionsJson ?? null) &&
        (before.translationsJson ?? null) === (after.translationsJson ?? null) &&
        JSON.stringify(before.schema) === JSON.stringify(after.schema);
      // The number of the new version is not known yet.
      return isSame ? undefined : ofVersion({ ...after, version: 0 });
    },
  };
}

/** Returns the draft that holds a change of the current version back, with all fields of the version. */
export function draftOf(before: TemplateWithHtml, change: Partial<TemplateInput>): DraftChange {
  const after = { ...before, ...change };
  return { html: after.html, ...versionFieldsOf(after) };
}

/** @throws {AppError} CONFLICT that names the cases with differences */
export function requirePassed(checked: VersionCheck | undefined): void {
  if (!checked || checked.passed) return;
  const names = checked.cases.filter(({ status }) => status !== 'equal').map(({ name }) => name);
  throw new AppError(
    'CONFLICT',
    `the template requires checks, and these cases do not pass: ${names.join(', ')}; accept them first`,
  );
}
