import { definePlugin } from '../../src/plugin.ts';
import './contract.ts';
import { mountRoutes } from './routes.ts';
import { createArchiver } from './archive-result.ts';
import { createPdfToolsService } from './service.ts';

export default definePlugin({
  name: 'pdf-tools',
  description: 'Operations on PDFs that callers send.',
  uses: ['render'],
  errors: { NOT_IMPLEMENTED: { status: 501, meaning: 'The service does not offer this.' } },
  setup({ tools, files, routes, services }) {
    const tasks = tools.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
    const service = createPdfToolsService({ tasks, files, render: services.render });
    services.render?.archiveWith(createArchiver(tasks));
    mountRoutes(routes, service);
    return { service };
  },
});
