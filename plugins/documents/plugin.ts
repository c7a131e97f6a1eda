import { definePlugin } from '../../src/plugin.ts';
import type { DocumentsService } from './contract.ts';

const HANDLEBARS = new URL('./tasks.ts', import.meta.url);

export default definePlugin({
  name: 'documents',
  description: 'The fields and options of requests that print.',
  requires: ['files'],
  sandboxModules: [HANDLEBARS],
  setup({ sandbox }) {
    const service: DocumentsService = { handlebars: sandbox.load<typeof import('./tasks.ts')>(HANDLEBARS) };
    return { service };
  },
});
