import { definePlugin, Type } from '../../src/plugin.ts';
import { assetData } from './account-data.ts';
import { createAssetSource } from './asset-sets.ts';
import { assets, assetSets, uploads } from './collections.ts';
import './contract.ts';
import { mountRoutes } from './routes.ts';
import { createAssetsService } from './service.ts';

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
  guide: new URL('./README.md', import.meta.url),
  config: configSchema,
  collections: { assets, assetSets, uploads },
  setup({ config, collections, files, sandbox, routes }) {
    const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
    const parts = { ...collections, files, tasks };
    const service = createAssetsService({
      ...parts,
      maxAccountBytes: config.maxAccountMegabytes * 1_000_000,
    });
    mountRoutes(routes, { service, files });
    return {
      service: createAssetSource(parts),
      accountData: [assetData(parts)],
      async filesInUse(fileIds) {
        const found = await collections.assets.find({ where: { fileId: { in: fileIds } } });
        return found.map(({ fileId }) => fileId);
      },
      async isFileOwner(accountId, fileId) {
        const [asset] = await collections.assets.find({ where: { fileId }, limit: 1 });
        return asset?.accountId === accountId;
      },
    };
  },
});
