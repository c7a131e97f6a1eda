import { definePlugin, Type } from '../../src/plugin.ts';
import { assetData, publishedAssetData } from './account-data.ts';
import { createAssetSource } from './asset-sets.ts';
import { assets, assetSets, publishedAssets, uploads } from './collections.ts';
import './contract.ts';
import { mountRoutes } from './routes.ts';
import { createAssetsService } from './service.ts';
import { createAssetSharing } from './sharing.ts';

const configSchema = Type.Object(
  {
    maxAccountMegabytes: Type.Integer({
      minimum: 1,
      default: 200,
      description: 'How many megabytes the assets of an account may have together.',
    }),
  },
  { additionalProperties: false },
);

export default definePlugin({
  name: 'assets',
  title: 'Assets',
  description: 'Store fonts, images and style sheets for documents.',
  guide: new URL('../../docs/assets.md', import.meta.url),
  config: configSchema,
  collections: { assets, assetSets, uploads, publishedAssets },
  setup({ config, collections, files, sandbox, routes }) {
    const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
    const parts = { ...collections, files, tasks };
    const maxAccountBytes = config.maxAccountMegabytes * 1_000_000;
    const service = createAssetsService({ ...parts, maxAccountBytes });
    const sharing = createAssetSharing({ ...parts, service, maxAccountBytes });
    mountRoutes(routes, { service, files });
    return {
      service: { ...createAssetSource(parts), sharing },
      accountData: [assetData(parts), publishedAssetData(parts)],
      async filesInUse(fileIds) {
        const where = { fileId: { in: fileIds } };
        const found = await Promise.all([
          collections.assets.find({ where }),
          collections.publishedAssets.find({ where }),
        ]);
        return found.flat().map(({ fileId }) => fileId);
      },
      async isFileOwner(accountId, fileId) {
        const query = { where: { fileId }, limit: 1 };
        const [[asset], [copy]] = await Promise.all([
          collections.assets.find(query),
          collections.publishedAssets.find(query),
        ]);
        return (asset ?? copy)?.accountId === accountId;
      },
    };
  },
});
