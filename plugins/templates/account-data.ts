import { ownedRecords, type AccountData } from '../../src/plugin.ts';
import { markPossibleOrphan } from './orphans.ts';
import type { Template, VersionInfo } from './contract.ts';
import { presentListed, toIso } from './present.ts';
import { presentOptionsAndSample } from './options-and-sample.ts';
import { presentTranslations } from './translations.ts';
import { deleteContents, type TemplateCollections } from './contents.ts';
import { listVersions, readVersion } from './versions.ts';

/**
 * Declares the templates and the trash, with all versions, as data of the accounts that own them. Another
 * account owns the copies that it made.
 */
export function templateData(collections: TemplateCollections): AccountData[] {
  const { templates, trash, orphanMarks } = collections;
  const present = async (template: Template) => {
    const versions = [];
    for await (const { version, isDraft } of allVersions(collections, template)) {
      const found = await readVersion(collections, template, version);
      versions.push({
        version,
        html_content: found?.file ? null : (found?.html ?? null),
        ...(found?.file && { file: found.file.fileId }),
        schema: found?.schema ?? null,
        ...(found && presentOptionsAndSample(found)),
        ...(found && presentTranslations(found)),
        ...(isDraft && { draft: true }),
      });
    }
    versions.reverse();
    return {
      ...presentListed(template),
      ...presentOptionsAndSample(template),
      ...presentTranslations(template),
      versions,
    };
  };
  const filesOf = async (template: Template) => {
    const fileIds = new Set<string>();
    for await (const { version } of allVersions(collections, template)) {
      const found = await readVersion(collections, template, version);
      if (found?.file) fileIds.add(found.file.fileId);
    }
    return [...fileIds];
  };
  const deleteParts = async (documents: readonly { id: string }[]) => {
    for (const { id } of documents) {
      // A concurrent change could store content after this deletion.
      await markPossibleOrphan(orphanMarks, id, 'deleted');
      await deleteContents(collections, id);
    }
  };
  return [
    ownedRecords({
      name: 'templates',
      collection: templates,
      present: async (template) => ({ record: await present(template), fileIds: await filesOf(template) }),
      deleteParts,
    }),
    ownedRecords({
      name: 'deleted-templates',
      collection: trash,
      present: async ({ template, createdAt, expiresAt }) => ({
        fileIds: await filesOf(template),
        record: {
          ...(await present(template)),
          deleted_at: toIso(createdAt),
          expires_at: toIso(expiresAt),
        },
      }),
      deleteParts,
    }),
  ];
}

const PAGE_SIZE = 100;

/** Reads the versions of a template, newest first. */
async function* allVersions(
  collections: TemplateCollections,
  template: Template,
): AsyncGenerator<VersionInfo> {
  for (let startingAfter: string | undefined; ;) {
    const { records, hasMore } = await listVersions(collections, template, {
      limit: PAGE_SIZE,
      startingAfter,
    });
    yield* records;
    if (!hasMore) return;
    startingAfter = String(records.at(-1)?.version);
  }
}
