import { definePlugin, Type } from '../../src/plugin.ts';
import './contract.ts';
import { findOffice, MISSING_OFFICE, type Isolation } from './engine/installation.ts';
import { mountRoutes } from './routes.ts';
import { createOfficeService } from './service.ts';
import { createUploadCheck } from './uploads.ts';

const configSchema = Type.Object(
  {
    path: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The path of LibreOffice's `soffice`. By default, the one on the PATH.",
      }),
    ),
    timeoutMs: Type.Integer({
      default: 60_000,
      minimum: 1_000,
      maximum: 600_000,
      description: 'The time limit of a conversion.',
    }),
    memoryMegabytes: Type.Integer({
      default: 1_000,
      minimum: 300,
      maximum: 64_000,
      description: 'The memory limit of a conversion.',
    }),
    maxFileMegabytes: Type.Integer({
      default: 50,
      minimum: 1,
      maximum: 100,
      description: 'The largest document that is converted.',
    }),
    maxPages: Type.Integer({
      default: 5_000,
      minimum: 1,
      maximum: 50_000,
      description: 'The most pages of a converted document.',
    }),
    pool: Type.Integer({
      default: 1,
      minimum: 0,
      maximum: 16,
      description:
        'The number of LibreOffice processes that wait for a document. Each needs 130 MB. The first conversion starts them, and ten minutes without conversions end them.',
    }),
  },
  { additionalProperties: false },
);

const ISOLATIONS: Readonly<Record<Isolation, string>> = {
  bwrap: 'isolated by bubblewrap',
  unshare: 'without network, but with a view of the disk: install bubblewrap',
  none: 'not isolated: install bubblewrap, and allow user namespaces',
};

export default definePlugin({
  name: 'office',
  title: 'Office documents',
  description: 'Convert office documents to PDF with LibreOffice.',
  guide: new URL('../../docs/office.md', import.meta.url),
  requires: ['documents', 'files'],
  config: configSchema,
  async setup({ config, log, metrics, routes, sandbox, services: { files } }) {
    const installation = await findOffice(config.path);
    if (installation && installation.isolation !== 'bwrap')
      log.warn(`LibreOffice is ${ISOLATIONS[installation.isolation]}`);
    const { service, close } = createOfficeService({
      installation,
      limits: config,
      tasks: sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url)),
      log,
      metrics,
    });
    mountRoutes({ routes, office: service, files, maxFileMegabytes: config.maxFileMegabytes });
    files.acceptUploads(createUploadCheck(service));
    return {
      service,
      stop: close,
      diagnose: {
        LibreOffice: async () => {
          if (!installation) return `off: ${MISSING_OFFICE}`;
          return `${installation.programs}, ${ISOLATIONS[installation.isolation]}`;
        },
      },
    };
  },
});
