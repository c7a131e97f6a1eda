import { definePlugin } from '../../src/plugin.ts';
import { operations } from './operations/index.ts';

export default definePlugin({
  name: 'pdf-tools',
  description: 'Operations on PDFs that callers send.',
  uses: ['render'],
  errors: { NOT_IMPLEMENTED: { status: 501, meaning: 'The service does not offer this.' } },
  setup({ sandbox, files, routes, services: { render } }) {
    for (const add of operations) add({ routes, sandbox, files, render });
    return {};
  },
});

declare module '../../src/errors.ts' {
  interface ErrorCodes {
    NOT_IMPLEMENTED: 501;
  }
}
