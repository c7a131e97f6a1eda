import { ownedRecords, type AccountData, type Collection, type FileStore } from '../../src/plugin.ts';
import type { CheckImages } from './collections.ts';
import type { TemplateCase } from './contract.ts';
import { presentChange } from './present.ts';

/** Declares the cases, with their accepted pages, and the images of checks as data of their accounts. */
export function templateTestData({
  cases,
  images,
  files,
}: {
  cases: Collection<TemplateCase>;
  images: Collection<CheckImages>;
  files: Pick<FileStore, 'delete'>;
}): AccountData[] {
  const deleteFiles = async (fileIds: readonly string[]) => {
    for (const fileId of fileIds) await files.delete(fileId);
  };
  return [
    ownedRecords({
      name: 'template-cases',
      collection: cases,
      present: ({
        templateId,
        name,
        dataJson,
        optionsJson,
        accepted,
        browserChange,
        createdAt,
        updatedAt,
      }) => ({
        record: {
          template: templateId,
          name,
          data: JSON.parse(dataJson),
          options: JSON.parse(optionsJson ?? 'null'),
          accepted: accepted && {
            file: accepted.fileId,
            pages: accepted.pages,
            version: accepted.version,
            chromium: accepted.chromium,
            accepted_at: new Date(accepted.at).toISOString(),
          },
          browser_change: presentChange(browserChange),
          created_at: new Date(createdAt).toISOString(),
          updated_at: new Date(updatedAt).toISOString(),
        },
        fileIds: accepted ? [accepted.fileId] : [],
      }),
      deleteParts: (found) => deleteFiles(found.flatMap(({ accepted }) => accepted?.fileId ?? [])),
    }),
    ownedRecords({
      name: 'check-images',
      collection: images,
      present: ({ createdAt, fileIds }) => ({
        record: { created_at: new Date(createdAt).toISOString(), files: fileIds },
        fileIds,
      }),
      deleteParts: (found) => deleteFiles(found.flatMap(({ fileIds }) => fileIds)),
    }),
  ];
}
