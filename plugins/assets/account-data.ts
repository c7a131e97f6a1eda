import {
  fileTypeOf,
  ownedRecords,
  type AccountData,
  type Collection,
  type FileStore,
} from '../../src/plugin.ts';
import type { AssetSetState, UploadHolds } from './collections.ts';
import type { Asset, PublishedAsset } from './contract.ts';
import { presentAsset } from './present.ts';

/** Declares the assets as data of their accounts, with their contents. */
export function assetData({
  assets,
  assetSets,
  uploads,
  files,
}: {
  assets: Collection<Asset>;
  assetSets: Collection<AssetSetState>;
  uploads: Collection<UploadHolds>;
  files: Pick<FileStore, 'delete'>;
}): AccountData {
  const records = ownedRecords({
    name: 'assets',
    collection: assets,
    present: (asset) => ({ record: presentAsset(asset), fileIds: [asset.fileId] }),
    async deleteParts(documents) {
      await Promise.all(documents.map(({ fileId }) => files.delete(fileId)));
    },
  });
  return {
    ...records,
    async delete(accountId) {
      await records.delete(accountId);
      await assetSets.delete({ id: accountId });
      await uploads.delete({ id: accountId });
    },
  };
}

/** Declares the copies of assets that belong to the published templates of accounts. */
export function publishedAssetData({
  publishedAssets,
  files,
}: {
  publishedAssets: Collection<PublishedAsset>;
  files: Pick<FileStore, 'delete'>;
}): AccountData {
  return ownedRecords({
    name: 'published-assets',
    collection: publishedAssets,
    present: ({ templateId, name, sizeBytes, font, createdAt, fileId }) => ({
      record: {
        template: templateId,
        name,
        type: fileTypeOf(fileId).mediaType,
        file_size: sizeBytes,
        font: font && { ...font },
        created_at: new Date(createdAt).toISOString(),
      },
      fileIds: [fileId],
    }),
    async deleteParts(documents) {
      await Promise.all(documents.map(({ fileId }) => files.delete(fileId)));
    },
  });
}
