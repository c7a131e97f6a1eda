import { ASSET_FILE_TYPES } from '../../src/plugin.ts';
import type { Asset } from './contract.ts';
import type { AssetAnswer } from './schemas.ts';

/** Converts an asset to wire names, without its link. */
export function presentAsset(asset: Asset): Omit<AssetAnswer, 'url'> {
  return {
    name: asset.name,
    type: ASSET_FILE_TYPES[asset.type].mediaType,
    file_size: asset.sizeBytes,
    font: asset.font,
    created_at: new Date(asset.createdAt).toISOString(),
    updated_at: new Date(asset.updatedAt).toISOString(),
  };
}
