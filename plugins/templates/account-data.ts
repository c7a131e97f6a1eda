import { ownedRecords, type AccountData } from '../../src/plugin.ts';
import { markPossibleOrphan } from './orphans.ts';
import type { Template } from './contract.ts';
import { presentListed, toIso } from './present.ts';
import { presentOptionsAndSample } from './options-and-sample.ts';
import { deleteContents, readHtml, type TemplateCollections } from './versions.ts';

/**
 * Declares the templates and the trash, with all versions, as data of the accounts that own them. Another account owns the copies that it
 * made.
 */
export function templateData(collections: TemplateCollections): AccountData[] {
  const { templates, trash, orphanMarks } = collections;
  const present = async (template: Template) => {
    const versions = [];
    for (let version = 1; version <= template.version; version += 1)
      versions.push({ version, html_content: await readHtml(collections, template, version) });
    return { ...presentListed(template), ...presentOptionsAndSample(template), versions };
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
      present: async (template) => ({ record: await present(template) }),
      deleteParts,
    }),
    ownedRecords({
      name: 'deleted-templates',
      collection: trash,
      present: async ({ template, createdAt, expiresAt }) => ({
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
