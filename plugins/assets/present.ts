import { fileTypeOf } from '../../src/plugin.ts';
import type { Asset } from './contract.ts';
import type { AssetResponse } from './schemas.ts';

/** Converts an asset to wire names, without its link. */
export function presentAsset(asset: Asset): Omit<AssetResponse, 'url'> {
  return {
    name: asset.name,
    type: fileTypeOf(asset.fileId).mediaType,
    file_size: asset.sizeBytes,
    font: asset.font,
    created_at: new Date(asset.createdAt).toISOString(),
    updated_at: new Date(asset.updatedAt).toISOString(),
  };
}
