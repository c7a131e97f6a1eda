import { definePlugin } from '../../src/plugin.ts';
import './contract.ts';
import { mountRoutes } from './routes.ts';
import { createFormsService } from './service.ts';

export default definePlugin({
  name: 'forms',
  title: 'Forms',
  description: 'List, fill and add the form fields of PDFs.',
  guide: new URL('../../docs/forms.md', import.meta.url),
  requires: ['documents', 'files'],
  uses: ['render'],
  setup({ sandbox, routes, services }) {
    const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));
    const service = createFormsService({ tasks, render: services.render });
    mountRoutes({ routes, forms: service, files: services.files });
    return { service };
  },
});
