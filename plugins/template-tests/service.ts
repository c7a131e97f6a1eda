import { invalid, notFound, StoreUnavailableError, type Log } from '../../src/plugin.ts';
import { caseNotFound } from './case-name.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../files/exports.ts';
import type { TemplatesService, TemplateWithHtml, VersionChoice } from '../templates/contract.ts';
import { MAX_HIDDEN, type BrowserChanges } from './browser-changes.ts';
import type { Cases } from './cases.ts';
import { checkCases, printCase, warningTexts, type CheckServices } from './check.ts';
import { NO_IMAGES, type createCheckImages } from './check-images.ts';
import type { TemplateCase, TemplateTestsService } from './contract.ts';
import { promoteIfPassed } from './required-checks.ts';
import type { Tasks } from './tasks-client.ts';

/** The parts of the service. */
export interface TemplateTestsParts extends CheckServices {
  cases: Cases;
  changes: BrowserChanges;
  images: ReturnType<typeof createCheckImages>;
  templates: TemplatesService;
  tasks: Tasks;
  files: { delete(id: string): Promise<void> };
  log: Log;
}

export function createTemplateTests(parts: TemplateTestsParts): TemplateTestsService {
  const { cases, changes, templates, accepted: pages, files } = parts;

  const deleteFile = async (fileId: string | undefined) => fileId !== undefined && files.delete(fileId);

  /** Deletes the file of a case that was not stored. */
  async function rejectFile(fileId: string | undefined, error: unknown): Promise<never> {
    // The case may have been stored. A file without a record is deleted later.
    if (!(error instanceof StoreUnavailableError)) await deleteFile(fileId);
    throw error;
  }

  async function findCase(accountId: string, templateId: string, name: string): Promise<TemplateCase> {
    const { id } = await templates.get(accountId, templateId);
    const found = await cases.find(id, name);
    if (!found) throw caseNotFound(name);
    return found;
  }

  /** Returns the templates in the trash that have cases whose pages a browser changes. */
  async function changedInTrash(accountId: string): Promise<string[]> {
    const found: string[] = [];
    for (let startingAfter: string | undefined; ;) {
      const { records, hasMore } = await templates.trash.list(accountId, { limit: 100, startingAfter });
      const ids = records.map(({ id }) => id);
      if (ids.length > 0) found.push(...(await changes.changedOf(accountId, ids)));
      startingAfter = ids.at(-1);
      if (!hasMore || found.length >= MAX_HIDDEN) return found.slice(0, MAX_HIDDEN);
    }
  }

  return {
    async put(request, templateId, { name, dataJson, optionsJson, accepted: given }) {
      const accountId = request.account.id;
      const { id } = await templates.get(accountId, templateId);
      const accepted = given === undefined ? undefined : await pages.receive(request, given);
      const fields = { accountId, templateId: id, name, dataJson, optionsJson };
      const { saved, replacedFileId } = await cases
        .save(fields, accepted)
        .catch((error: unknown) => rejectFile(accepted?.fileId, error));
      await deleteFile(replacedFileId);
      // A template that was deleted in the meantime has left no case.
      if ((await templates.find(accountId, id)) === null) {
        await cases.remove(saved);
        await deleteFile(saved.accepted?.fileId);
        throw notFound('template');
      }
      return saved;
    },
    async list(accountId, templateId, page) {
      const { id } = await templates.get(accountId, templateId);
      return cases.list(id, page);
    },
    async listBrowserChanges(accountId, { status, ...page }) {
      const hidden = await changedInTrash(accountId);
      const listed = await changes.list(accountId, { status, page, hidden });
      // The rest: templates that are being deleted, and those beyond the limit of a list.
      const ids = [...new Set(listed.records.map(({ templateId }) => templateId))];
      const formats = await Promise.all(ids.map((id) => templates.formatOf(accountId, id)));
      const existing = new Set(ids.filter((_, index) => formats[index] !== null));
      return { ...listed, records: listed.records.filter(({ templateId }) => existing.has(templateId)) };
    },
    get: findCase,
    async remove(accountId, templateId, name) {
      const found = await findCase(accountId, templateId, name);
      if (!(await cases.remove(found))) throw caseNotFound(name);
      await deleteFile(found.accepted?.fileId);
    },
    async removeAll(templateId) {
      // After a crash, the deletion of the template is repeated, so the files are deleted first.
      for (const { accepted } of await cases.all(templateId)) await deleteFile(accepted?.fileId);
      await cases.removeAll(templateId);
    },
    async check({ account, templateId, html, version, names, isTest = false, images = true, signal }) {
      const template = await readCandidate(templates, account.id, { templateId, version });
      if (html !== undefined && template.file)
        throw invalid('html_content', `is not for this template, which is a ${template.format} file`);
      const chosen = chooseCases(await cases.all(template.id), names);
      const candidate = html === undefined ? template : { ...template, html };
      const checked = await checkCases(parts, {
        account,
        candidate,
        cases: chosen,
        images: images ? parts.images.open(account.id, { isTest }) : NO_IMAGES,
        signal,
      });
      const equal = chosen.filter((_, index) => checked[index]?.status === 'equal');
      if (html === undefined && template.draft?.version === template.version)
        await cases.notePassed(equal, template.version);
      if (html === undefined && template.currentVersion === template.version) await changes.noteEqual(equal);
      return {
        passed: checked.every(({ status }) => status === 'equal'),
        version: html === undefined ? template.version : null,
        cases: checked,
      };
    },
    async accept({ account, templateId, name, version, isTest = false }) {
      const candidate = await readCandidate(templates, account.id, { templateId, version });
      const found = await cases.find(candidate.id, name);
      if (!found) throw caseNotFound(name);
      const printed = await printCase(parts, { account, candidate, found });
      const { pdf } = printed;
      const call = parts.tasks.readChromium({ pdf }, pdfTaskLimits);
      const accepted = await pages.store(pdf, {
        pages: printed.pages,
        version: candidate.version,
        chromium: await unwrapTaskResult('html_content', call),
        warnings: warningTexts(printed),
      });
      const change = { accepted, passedVersion: candidate.version };
      const { saved, replacedFileId } = await cases
        .accept(found, change)
        .catch((error: unknown) => rejectFile(accepted.fileId, error));
      await deleteFile(replacedFileId);
      return { case: saved, promoted: await promoteIfPassed(parts, { candidate, isTest }) };
    },
  };
}

/** Reads the version to check: by default the draft if there is one, or else the current version. */
async function readCandidate(
  templates: TemplatesService,
  accountId: string,
  { templateId, version }: { templateId: string; version: VersionChoice | undefined },
): Promise<TemplateWithHtml> {
  if (version !== undefined) return templates.get(accountId, templateId, version);
  return (
    (await templates.find(accountId, templateId, 'draft')) ?? (await templates.get(accountId, templateId))
  );
}

/** @throws {AppError} VALIDATION_ERROR for a template without cases, and for an unknown name */
function chooseCases(
  all: readonly TemplateCase[],
  names: readonly string[] | undefined,
): readonly TemplateCase[] {
  if (names === undefined && all.length === 0)
    throw invalid(
      'cases',
      'are missing: the template has none; store one with PUT /v1/templates/:id/cases/:name',
    );
  if (names === undefined) return all;
  const byName = new Map(all.map((found) => [found.name, found]));
  return [...new Set(names)].map((name) => {
    const found = byName.get(name);
    if (!found) throw invalid('cases', `names ${JSON.stringify(name)}, which is not a case of the template`);
    return found;
  });
}
