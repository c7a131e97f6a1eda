import { definePlugin } from '../../src/plugin.ts';
import './contract.ts';
import { mountRoutes } from './routes.ts';
import { createPdfToolsService } from './service.ts';

export default definePlugin({
  name: 'pdf-tools',
  description: 'Operations on PDFs that callers send.',
  errors: { NOT_IMPLEMENTED: { status: 501, meaning: 'The service does not offer this.' } },
  setup({ tools, files, routes }) {
    const tasks = tools.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
    const service = createPdfToolsService({ tasks, files });
    mountRoutes(routes, service);
    return { service };
  },
});
