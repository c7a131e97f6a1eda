import {
  AppError,
  DuplicateKeyError,
  workContext,
  type Collection,
  type Log,
  type PluginContext,
} from '../../src/plugin.ts';
import type { RenderService } from '../render/contract.ts';
import type { GenerateOptions } from '../documents/contract.ts';
import type { TemplatesService, TemplateWithHtml } from '../templates/contract.ts';
import type { BrowserChanges } from './browser-changes.ts';
import { checkCases, type CheckServices } from './check.ts';
import { NO_IMAGES } from './check-images.ts';
import type { BrowserState } from './collections.ts';
import type { BrowserChange, TemplateCase } from './contract.ts';

/** The id of the only record. */
const BROWSER = 'browser';
/** How often the check of a case may die with the process, or fail for a reason other than its document. */
const MAX_ATTEMPTS = 3;
/** When a process with another browser looks again. A replica with the new one takes the job before. */
const OTHER_BROWSER_DELAY_MS = 5_000;
/** The errors that say that the service cannot print now. */
const LATER = ['UNAVAILABLE', 'RATE_LIMITED'];

/** The parts of the check after an upgrade of the browser. */
export interface BrowserUpgradeParts extends Omit<CheckServices, 'timeoutMs'> {
  browsers: Collection<BrowserState>;
  changes: BrowserChanges;
  render: CheckServices['render'] & Pick<RenderService, 'browserVersion'>;
  templates: Pick<TemplatesService, 'find'>;
  jobs: Pick<PluginContext<unknown, object, never, never>['jobs'], 'define' | 'sweep'>;
  log: Log;
}

/**
 * Checks all cases with accepted pages in the background when the service has another version of Chromium
 * than before. The replicas share the version and one job, which checks one case in each run, so a crash
 * repeats at most one case.
 */
export function watchBrowserVersion(parts: BrowserUpgradeParts): void {
  const { browsers, changes, render, jobs, log } = parts;
  /** The version of this process that is stored already. An older replica does not change it back. */
  let reported: string | undefined;

  async function report(version: string): Promise<void> {
    for (;;) {
      const before = await browsers.get(BROWSER);
      if (before?.version === version) return;
      if (!before) {
        if (await insert(browsers, version)) return;
        continue;
      }
      const templates = await changes.countTemplates();
      const { version: previous, change } = before;
      const begun = { ...begin(version), previous, change: change + 1, isChecking: templates > 0 };
      if (!(await browsers.update({ id: BROWSER, change }, begun))) continue;
      log.info(
        { from: previous, to: version, templates },
        'Chromium has another version than before; templates with accepted cases are checked',
      );
      return;
    }
  }

  async function run() {
    const state = await browsers.get(BROWSER);
    if (!state?.isChecking) return undefined;
    if ((await render.browserVersion()) !== state.version)
      return { runAgainAt: Date.now() + OTHER_BROWSER_DELAY_MS };
    const { change, position, previous, attempts, different, failed } = state;
    const found = await changes.next(position);
    const current = { id: BROWSER, change };
    if (!found) {
      if (await browsers.update(current, { isChecking: false }))
        log.info({ to: state.version, different, failed }, 'the cases were checked with the new Chromium');
      return undefined;
    }
    // Counted before, so that a case with which the process dies does not stop the others.
    await browsers.update(current, { attempts: attempts + 1 });
    const status =
      attempts < MAX_ATTEMPTS
        ? await checkCase(parts, found).catch(async (error: unknown) => {
            if (error instanceof AppError && LATER.includes(error.code))
              await browsers.update(current, { attempts });
            throw error;
          })
        : 'failed';
    if (status) {
      const { version: to } = state;
      await changes.note(found, { from: previous ?? to, to, status, at: Date.now() });
    }
    const { id, accountId } = found;
    await browsers.update(current, {
      position: { id, accountId },
      attempts: 0,
      different: different + Number(status === 'different'),
      failed: failed + Number(status === 'failed'),
    });
    return { runAgainAt: Date.now() };
  }

  const queue = jobs.define({ name: 'template-tests.browser', concurrency: 1, run });
  jobs.sweep('browser version', async () => {
    const version = await render.browserVersion({ launch: false });
    if (version !== undefined && version !== reported) {
      await report(version);
      reported = version;
    }
    if ((await browsers.get(BROWSER))?.isChecking) await queue.ensureQueued([BROWSER]);
  });
}

/**
 * Checks a case on behalf of its account. Returns `null` for a template in the trash, and for an office file,
 * which LibreOffice prints.
 */
async function checkCase(
  { templates, ...parts }: BrowserUpgradeParts,
  found: TemplateCase,
): Promise<BrowserChange['status'] | null> {
  const { accountId, templateId, accepted } = found;
  const current = await templates.find(accountId, templateId);
  if (!current || current.file) return null;
  // A later version may differ from the accepted pages for other reasons. A draft may have been deleted.
  const version = accepted?.version ?? current.version;
  const other = version === current.version ? null : await templates.find(accountId, templateId, version);
  const candidate = other ? withBrowserOf(current, other) : current;
  const job = { account: { id: accountId }, candidate, cases: [found], images: NO_IMAGES };
  const context = { log: {}, signal: undefined, ...workContext.getStore() };
  const [checked] = await workContext.run({ ...context, account: accountId, urgency: 'batch' }, () =>
    checkCases(parts, job),
  );
  return checked && checked.status !== 'new' ? checked.status : null;
}

/** Returns a version with the choice of the browser of the current one, whose documents customers get. */
function withBrowserOf(current: TemplateWithHtml, version: TemplateWithHtml): TemplateWithHtml {
  const optionsOf = ({ optionsJson }: TemplateWithHtml) => JSON.parse(optionsJson ?? '{}') as GenerateOptions;
  const { browser } = optionsOf(current);
  const options = { ...optionsOf(version), ...(browser && { browser }) };
  return { ...version, optionsJson: JSON.stringify(options) };
}

function begin(version: string): Omit<BrowserState, 'id' | 'previous' | 'change' | 'isChecking'> {
  return { version, position: null, attempts: 0, different: 0, failed: 0 };
}

/** Stores the first version. Returns whether no other process was faster. */
async function insert(browsers: Collection<BrowserState>, version: string): Promise<boolean> {
  try {
    await browsers.insert({
      id: BROWSER,
      ...begin(version),
      previous: null,
      change: 0,
      isChecking: false,
    });
    return true;
  } catch (error) {
    if (error instanceof DuplicateKeyError) return false;
    throw error;
  }
}
