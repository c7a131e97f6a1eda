import { definePlugin, Type } from '../../src/plugin.ts';
import { createClaimChecks } from '../files/exports.ts';
import { certificateData } from './certificates/account-data.ts';
import { certificates } from './certificates/collections.ts';
import { mountCertificates } from './certificates/routes.ts';
import { createCertificates } from './certificates/service.ts';
import type { PdfToolsService } from './contract.ts';
import { operations } from './operations/index.ts';
import { mountPipeline } from './pipeline/route.ts';
import { createOperationsRunner } from './pipeline/run-operations.ts';
import { createRevocationClient } from './trust/revocation-client.ts';
import { openTsaClient } from './trust/tsa-client.ts';
import { readTrustRoots } from './trust/trust-roots.ts';
import { createSignatureAugmenter } from './signing/signature-augmenter.ts';
import { ExternalSignerConfig, openExternalSigners, SIGNER_PREFIX } from './signing/external-signers.ts';
import { createDocumentSigner } from './signing/document-signer.ts';
import { nameUnknown, storedSigners } from './signing/signer.ts';
import { createSigning } from './signing/signing.ts';

const configSchema = Type.Object(
  {
    protect: Type.Boolean({
      default: false,
      description:
        'Whether PDFs can be protected with passwords: POST /v1/pdf/protect and `options.protect`.',
    }),
    tsaUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^/@?#\\s]+(/[^\\s]*)?$',
        maxLength: 500,
        expected: 'a URL without credentials, such as http://timestamp.example.com/tsa',
        description:
          'The time stamping authority (RFC 3161) for POST /v1/pdf/timestamp and for signatures with a timestamp. It may be on a private address.',
      }),
    ),
    trustRoots: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'The certificates that POST /v1/pdf/verify trusts: PEM text, or paths of PEM files. Requests can add others with `trust`.',
    }),
    signers: Type.Record(Type.String({ pattern: '^[a-z0-9-]{1,60}$' }), ExternalSignerConfig, {
      default: {},
      description:
        'External signers by name, whose keys the service does not store. A request selects one with `"certificate": "signer:<name>"`.',
    }),
  },
  { additionalProperties: false },
);

export default definePlugin({
  name: 'pdf-tools',
  title: 'PDF operations',
  description: 'Merge, split, inspect, sign and convert PDFs.',
  guide: new URL('../../docs/pdf-operations.md', import.meta.url),
  requires: ['documents', 'files'],
  uses: ['render', 'office'],
  config: configSchema,
  collections: { certificates },
  errors: {
    TSA_ERROR: {
      status: 502,
      meaning: 'The time stamping authority refused the request, or its response is invalid.',
    },
  },
  async setup({
    config,
    accounts,
    collections,
    sealer,
    sandbox,
    egress,
    openEgress,
    routes,
    log,
    services: { files, render, office },
  }) {
    if (config.protect) render?.allowProtection();
    const { prove, confirm, read: readClaims } = createClaimChecks(sandbox);
    const tsa = config.tsaUrl === undefined ? undefined : await openTsaClient(config.tsaUrl, openEgress);
    const revocation = createRevocationClient(egress);
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
    const trustRoots = await readTrustRoots(config.trustRoots, sandbox);
    const timestampTasks = sandbox.load<typeof import('./operations/timestamp/task.ts')>(
      new URL('./operations/timestamp/task.ts', import.meta.url),
    );
    const augmenter =
      tsa && createSignatureAugmenter({ tasks, timestampTasks, tsa, revocation, roots: trustRoots });
    const external = await openExternalSigners(config.signers, { accounts, openEgress, tasks, log });
    const fromStore = storedSigners(stored, tasks);
    const signing = createSigning({
      tasks,
      render,
      augmenter,
      prove,
      confirm,
      findSigner: nameUnknown((accountId, id) =>
        (id.startsWith(SIGNER_PREFIX) ? external : fromStore)(accountId, id),
      ),
    });
    render?.useSigner(createDocumentSigner(signing));
    const context = {
      sandbox,
      files,
      render,
      prove,
      confirm,
      readClaims,
      signing,
      mayProtect: config.protect,
      tsa,
      revocation,
      trustRoots,
    };
    for (const add of operations) add({ ...context, routes });
    const pipeline = mountPipeline(routes, { ...context, office, operations });
    mountCertificates(routes, stored);
    const service: PdfToolsService = {
      mayProtect: config.protect,
      hasTimestamps: tsa !== undefined,
      run: createOperationsRunner({ ...context, routes, operations }),
      ...pipeline,
    };
    return { service, accountData: [certificateData(collections.certificates)] };
  },
});

declare module '../../src/errors.ts' {
  interface ErrorCodes {
    TSA_ERROR: 502;
  }
}
