import { definePlugin, Type } from '../../src/plugin.ts';
import { templateData } from './account-data.ts';
import { contents, orphanMarks, templates, trash, versions } from './collections.ts';
import type { DeleteTemplateParts } from './contract.ts';
import { openTemplateEvents } from './events.ts';
import { templateWebhooks } from './examples.ts';
import { deleteOrphans } from './orphans.ts';
import { mountRoutes } from './routes.ts';
import { storeMissingSearchTexts } from './search.ts';
import { createTemplateFiles } from './office/template-files.ts';
import { createTemplatesService } from './service.ts';
import { deleteExpiredTrash } from './trash.ts';

export default definePlugin({
  name: 'templates',
  title: 'Templates',
  description: 'Store Handlebars templates with all their versions.',
  guide: new URL('../../docs/stored-templates.md', import.meta.url),
  requires: ['documents'],
  config: Type.Object({}, { additionalProperties: false }),
  collections: { templates, contents, versions, orphanMarks, trash },
  webhooks: templateWebhooks,
  setup({ collections: records, files, jobs, routes, sandbox, services, webhooks }) {
    const partDeletions: DeleteTemplateParts[] = [];
    const collections = { ...records, files, partDeletions };
    jobs.sweep('templates', async () => {
      await storeMissingSearchTexts(collections.templates);
      await deleteExpiredTrash(collections);
      await deleteOrphans(collections);
    });
    const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
    const office = sandbox.load<typeof import('./office/tasks.ts')>(
      new URL('./office/tasks.ts', import.meta.url),
    );
    const service = createTemplatesService(collections, {
      files: createTemplateFiles({ files, tasks: office }),
      handlebars: services.documents.handlebars,
      tasks,
      events: openTemplateEvents({ ...collections, webhooks }),
      ownParts: (deleteParts) => void partDeletions.push(deleteParts),
    });
    mountRoutes(routes, service);
    return {
      service,
      accountData: templateData(collections),
      filesInUse: async (fileIds) => {
        const found = await collections.contents.find({ where: { fileId: { in: fileIds } } });
        return found.flatMap(({ fileId }) => fileId ?? []);
      },
      async isFileOwner(accountId, fileId) {
        const [content] = await collections.contents.find({ where: { fileId }, limit: 1 });
        const template = content && (await collections.templates.get(content.templateId));
        return template?.accountId === accountId;
      },
    };
  },
});
