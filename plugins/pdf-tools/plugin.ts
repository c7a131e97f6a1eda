import { createClaimProver, definePlugin, Type } from '../../src/plugin.ts';
import type { PdfToolsService } from './contract.ts';
import { operations } from './operations/index.ts';
import { mountPipeline } from './pipeline/route.ts';

const configSchema = Type.Object(
  {
    protect: Type.Boolean({
      default: false,
      description:
        'Whether PDFs can be protected with passwords: POST /v1/pdf/protect and `options.protect`.',
    }),
  },
  { additionalProperties: false },
);

export default definePlugin({
  name: 'pdf-tools',
  title: 'PDF operations',
  description: 'Merge, split, inspect, sign and convert PDFs.',
  guide: new URL('./README.md', import.meta.url),
  uses: ['render'],
  config: configSchema,
  errors: { NOT_IMPLEMENTED: { status: 501, meaning: 'The service does not support this operation.' } },
  setup({ config, sandbox, pdfFiles, routes, services: { render } }) {
    if (config.protect) render?.allowProtection();
    const prove = createClaimProver(sandbox);
    const context = { sandbox, pdfFiles, render, prove, mayProtect: config.protect };
    for (const add of operations) add({ ...context, routes });
    mountPipeline(routes, { ...context, operations });
    const service: PdfToolsService = { mayProtect: config.protect };
    return { service };
  },
});

declare module '../../src/errors.ts' {
  interface ErrorCodes {
    NOT_IMPLEMENTED: 501;
  }
}
