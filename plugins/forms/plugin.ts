import { definePlugin } from '../../src/plugin.ts';
import './contract.ts';
import { mountRoutes } from './routes.ts';
import { createFormsService } from './service.ts';

export default definePlugin({
  name: 'forms',
  description: 'Interactive forms of PDFs: what fields they have, filling and adding fields.',
  uses: ['render'],
  errors: { NOT_IMPLEMENTED: { status: 501, meaning: 'The service does not offer this.' } },
  setup({ sandbox, files, routes, services }) {
    const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
    const service = createFormsService({ tasks, render: services.render });
    mountRoutes({ routes, forms: service, files });
    return { service };
  },
});
