import { definePlugin } from '../../src/plugin.ts';
import { operations } from './operations/index.ts';
import { mountPipeline } from './pipeline/route.ts';

export default definePlugin({
  name: 'pdf-tools',
  title: 'PDF operations',
  description: 'Merge, split, inspect, sign and convert PDFs.',
  guide: new URL('./README.md', import.meta.url),
  uses: ['render'],
  errors: { NOT_IMPLEMENTED: { status: 501, meaning: 'The service does not support this operation.' } },
  setup({ sandbox, pdfFiles, routes, services: { render } }) {
    const context = { sandbox, pdfFiles, render };
    for (const add of operations) add({ ...context, routes });
    mountPipeline(routes, { ...context, operations });
    return {};
  },
});

declare module '../../src/errors.ts' {
  interface ErrorCodes {
    NOT_IMPLEMENTED: 501;
  }
}
