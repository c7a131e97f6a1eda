import type { FileStore, Static } from '../../src/plugin.ts';
import { LINK_LIFETIME_MS } from '../../src/plugin.ts';
import { presentOptionsAndSample } from '../templates/exports.ts';
import type { BrowserChange, TemplateCase, TemplateCheck } from './contract.ts';
import type { BrowserChangeList, CaseResponse, CheckResponse } from './schemas.ts';

const toIso = (time: number) => new Date(time).toISOString();

/** Presents a case. A test key gets no link, because the accepted pages are not marked. */
export async function presentCase(
  found: TemplateCase,
  { files, isTest }: { files: Pick<FileStore, 'link'>; isTest: boolean },
): Promise<Static<typeof CaseResponse>> {
  const { name, templateId, dataJson, optionsJson, accepted, createdAt, updatedAt } = found;
  const { options, sample_data: data } = presentOptionsAndSample({ optionsJson, sampleDataJson: dataJson });
  const expiresAt = Date.now() + LINK_LIFETIME_MS;
  return {
    name,
    template_id: templateId,
    data,
    options,
    accepted: accepted && {
      pages: accepted.pages,
      file_size: accepted.sizeBytes,
      url: isTest ? null : await files.link(accepted.fileId, { expiresAt, fileName: `${name}.pdf` }),
      version: accepted.version,
      chromium: accepted.chromium,
      accepted_at: toIso(accepted.at),
    },
    browser_change: presentChange(found.browserChange),
    created_at: toIso(createdAt),
    updated_at: toIso(updatedAt),
  };
}

/** Presents the result of a new version of the browser for a case. */
export function presentChange(
  change: BrowserChange | null | undefined,
): Static<typeof CaseResponse>['browser_change'] {
  if (!change) return null;
  const { from, to, status, at } = change;
  return { from, to, status, checked_at: toIso(at) };
}

/** Presents a case in the list of those that a browser changes. */
export function presentChanged({
  id,
  templateId,
  name,
  browserChange,
}: TemplateCase): Static<typeof BrowserChangeList>['data'][number] {
  return { id, template_id: templateId, name, browser_change: presentChange(browserChange) };
}

/** Presents a check. */
export function presentCheck({ passed, version, cases }: TemplateCheck): Static<typeof CheckResponse> {
  return {
    passed,
    version,
    cases: cases.map(({ name, status, error, pages, layout }) => ({
      name,
      status,
      ...(error && { error }),
      pages: pages.map(({ page, equal, changedFraction, imageUrl, diffUrl }) => ({
        page,
        equal,
        changed_fraction: changedFraction,
        image_url: imageUrl,
        diff_url: diffUrl,
      })),
      layout: layout.map(({ page, finding }) => ({ page, finding })),
    })),
  };
}
