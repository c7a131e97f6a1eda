import { createClaimProver, definePlugin, Type } from '../../src/plugin.ts';
import { certificateData } from './certificates/account-data.ts';
import { certificates } from './certificates/collections.ts';
import { mountCertificates } from './certificates/routes.ts';
import { createCertificates } from './certificates/service.ts';
import { operations } from './operations/index.ts';
import { mountPipeline } from './pipeline/route.ts';
import { createDocumentSigner } from './signing/document-signer.ts';
import { storedSigners } from './signing/signer.ts';
import { createSigning } from './signing/signing.ts';

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
  collections: { certificates },
  errors: { NOT_IMPLEMENTED: { status: 501, meaning: 'The service does not support this operation.' } },
  setup({ config, collections, sealer, sandbox, pdfFiles, routes, log, services: { render } }) {
    if (config.protect) render?.allowProtection();
    const prove = createClaimProver(sandbox);
    const stored = createCertificates({
      ...collections,
      sealer,
      log,
      tasks: sandbox.load<typeof import('./certificates/task.ts')>(
        new URL('./certificates/task.ts', import.meta.url),
      ),
    });
    const tasks = sandbox.load<typeof import('./signing/task.ts')>(
      new URL('./signing/task.ts', import.meta.url),
    );
    const signing = createSigning({ tasks, render, findSigner: storedSigners(stored, tasks) });
    render?.useSigner(createDocumentSigner(signing));
    const context = { sandbox, pdfFiles, render, mayProtect: config.protect, prove, signing };
    mountCertificates(routes, stored);
    for (const add of operations) add({ ...context, routes });
    mountPipeline(routes, { ...context, operations });
    return { accountData: [certificateData(collections.certificates)] };
  },
});

declare module '../../src/errors.ts' {
  interface ErrorCodes {
    NOT_IMPLEMENTED: 501;
  }
}
