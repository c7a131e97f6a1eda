import type { CollectionSpec } from '../../src/plugin.ts';
import type { Asset } from './contract.ts';

/** The state of an account's assets as a whole. Its id is that of the account. */
export interface AssetSetState {
  id: string;
  /** Changes after every change of an asset. */
  revision: string;
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
export const sets: CollectionSpec<AssetSetState> = { name: 'asset_sets' };
