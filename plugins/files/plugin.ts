import { definePlugin } from '../../src/plugin.ts';
import { fileData } from './account-data.ts';
import { fileRecords } from './collections.ts';
import type { FilesService } from './contract.ts';
import { createPageImages } from './page-images.ts';
import { mountRoutes } from './routes.ts';
import { fileWebhooks } from './schemas.ts';
import { createFilesService } from './service.ts';
import { createTestMark } from './test-mark/test-mark.ts';

export default definePlugin({
  name: 'files',
  title: 'Files',
  description: 'Stored PDFs: results of PDF operations, and uploads.',
  guide: new URL('../../docs/files.md', import.meta.url),
  collections: { records: fileRecords },
  webhooks: fileWebhooks,
  setup({ collections: { records }, administration, deletions, files, routes, sandbox, webhooks }) {
    const testMark = createTestMark(sandbox);
    const service: FilesService = {
      ...createFilesService({ records, files, deletions, webhooks, plans: administration.plans, testMark }),
      sendPageImage: createPageImages({ files, sandbox }),
    };
    mountRoutes(routes, service, sandbox);
    return {
      service,
      accountData: [fileData({ records, files, deletions, webhooks })],
      filesInUse: async (ids) => (await records.find({ where: { id: { in: ids } } })).map(({ id }) => id),
      isFileOwner: (accountId, id) => service.has(accountId, id),
    };
  },
});
