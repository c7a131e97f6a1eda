import { definePlugin, Type } from '../../src/plugin.ts';
import { openAcceptedPages } from './accepted-pages.ts';
import { templateTestData } from './account-data.ts';
import { openBrowserChanges } from './browser-changes.ts';
import { watchBrowserVersion } from './browser-upgrade.ts';
import { openCases } from './cases.ts';
import { createCheckImages } from './check-images.ts';
import { browsers, cases, images } from './collections.ts';
import './contract.ts';
import { createVersionCheck } from './required-checks.ts';
import { mountRoutes } from './routes.ts';
import { createTemplateTests } from './service.ts';

export default definePlugin({
  name: 'template-tests',
  title: 'Template tests',
  description: 'Check templates against the accepted pages of their cases.',
  guide: new URL('../../docs/template-tests.md', import.meta.url),
  requires: ['documents', 'files', 'templates', 'render'],
  config: Type.Object({}, { additionalProperties: false }),
  collections: { browsers, cases, images },
  setup({ collections, deletions, files, jobs, log, routes, sandbox, services }) {
    const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
    const { templates, render } = services;
    const parts = {
      cases: openCases(collections.cases),
      changes: openBrowserChanges(collections.cases),
      images: createCheckImages({ ...collections, files, deletions, testMark: services.files }),
      accepted: openAcceptedPages({ files, pdfFiles: services.files, tasks }),
      templates,
      render,
      tasks,
      files,
      log,
    };
    const service = createTemplateTests(parts);
    templates.useVersionCheck(createVersionCheck(parts));
    templates.ownParts((templateId) => service.removeAll(templateId));
    watchBrowserVersion({ ...parts, browsers: collections.browsers, jobs });
    mountRoutes(routes, { service, templates, files, pageImages: services.files });
    return {
      service,
      accountData: templateTestData({ ...collections, files }),
      async filesInUse(fileIds) {
        const found = await collections.cases.find({ where: { acceptedFileId: { in: fileIds } } });
        return found.flatMap(({ acceptedFileId }) => acceptedFileId ?? []);
      },
    };
  },
});
