import { ownedRecords, type AccountData } from '../../src/plugin.ts';
import { markPossibleOrphan } from './orphans.ts';
import { presentListed } from './present.ts';
import { presentOptionsAndSample } from './options-and-sample.ts';
import { deleteContents, readHtml, type TemplateCollections } from './versions.ts';

/** Declares the templates, with all their versions, as data of the accounts that own them. Another account owns the copies that it made. */
export function templateData(collections: TemplateCollections): AccountData {
  const { templates, orphanMarks } = collections;
  return ownedRecords({
    name: 'templates',
    collection: templates,
    async present(template) {
      const versions = [];
      for (let version = 1; version <= template.version; version += 1)
        versions.push({ version, html_content: await readHtml(collections, template, version) });
      return { record: { ...presentListed(template), ...presentOptionsAndSample(template), versions } };
    },
    async deleteParts(documents) {
      for (const { id } of documents) {
        // A concurrent change could store content after this deletion.
        await markPossibleOrphan(orphanMarks, id, 'deleted');
        await deleteContents(collections, id);
      }
    },
  });
}
