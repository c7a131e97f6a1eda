import type { CollectionSpec } from '../../src/plugin.ts';
import type { Asset, PublishedAsset } from './contract.ts';

/** The state of an account's assets as a whole. The id is the id of the account. */
export interface AssetSetState {
  id: string;
  /** Changes after every change of an asset. */
  revision: string;
}

/** The uploads of an account that are not recorded yet. The id is the id of the account. */
export interface UploadHolds {
  id: string;
  /** Increases with each change. */
  revision: number;
  /** By the id of the file. `at` is epoch milliseconds. */
  held: Readonly<Record<string, { name: string; sizeBytes: number; at: number }>>;
}

/** The assets of all accounts. */
export const assets: CollectionSpec<Asset> = {
  name: 'assets',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', name: 'asc' }, unique: true },
    { fields: { fileId: 'asc' } },
  ],
};

/** The revisions of the assets of all accounts that ever had any. */
export const assetSets: CollectionSpec<AssetSetState> = { name: 'asset_sets', usesReserve: true };

/** The uploads in progress of all accounts. */
export const uploads: CollectionSpec<UploadHolds> = { name: 'asset_uploads' };

/** The copies of assets that belong to published templates. */
export const publishedAssets: CollectionSpec<PublishedAsset> = {
  name: 'assets_published',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'asc', id: 'asc' } },
    { fields: { templateId: 'asc', name: 'asc' }, unique: true },
    { fields: { fileId: 'asc' } },
  ],
};
