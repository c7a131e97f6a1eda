import { availableParallelism } from 'node:os';
import { findChromium } from '../../scripts/find-chromium.mjs';
import { ConfigError, definePlugin, messageOf, Type } from '../../src/plugin.ts';
import { Chromium } from './chromium.ts';
import { checkFonts } from './fonts.ts';
import { generations } from './collections.ts';
import './contract.ts';
import { Renderer } from './renderer.ts';
import { mountRoutes } from './routes.ts';
import { createRenderService } from './service.ts';

const configSchema = Type.Object(
  {
    chromiumPath: Type.Optional(
      Type.String({ minLength: 1, description: 'The browser; found by itself when absent.' }),
    ),
    concurrency: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: 'Documents at once; two a core.' }),
    ),
    queueLimit: Type.Integer({
      minimum: 0,
      default: 200,
      description: 'Requests that may wait; more get 429.',
    }),
    maxWaitMs: Type.Integer({
      minimum: 100,
      default: 30_000,
      description: 'How long a request may wait for its turn.',
    }),
    timeoutMs: Type.Integer({
      minimum: 1000,
      maximum: 600_000,
      default: 30_000,
      description: 'Deadline of a document.',
    }),
    maxJobsPerBrowser: Type.Integer({ minimum: 1, default: 5_000 }),
    maxBrowserMegabytes: Type.Integer({ minimum: 256, default: 3_000 }),
  },
  { additionalProperties: false },
);

export default definePlugin({
  name: 'render',
  description: 'PDFs from HTML and stored templates.',
  uses: ['templates'],
  config: configSchema,
  env: { CHROMIUM_PATH: 'chromiumPath', RENDER_CONCURRENCY: 'concurrency', RENDER_TIMEOUT_MS: 'timeoutMs' },
  collections: { generations },
  async setup({
    config,
    services,
    collections,
    files,
    handlebars,
    egress,
    events,
    quota,
    webhooks,
    metrics,
    log,
    routes,
  }) {
    const executablePath = config.chromiumPath ?? findChromium();
    const concurrency = config.concurrency ?? 2 * availableParallelism();
    const recycled = metrics.counter('browser_recycles_total', 'Browsers that were replaced, by reason.', [
      'reason',
    ]);
    const sandbox = process.getuid?.() !== 0;
    const chromium = new Chromium({
      executablePath,
      proxyUrl: egress.url,
      sandbox,
      idlePages: concurrency,
      maxJobs: config.maxJobsPerBrowser,
      maxRssBytes: config.maxBrowserMegabytes * 1024 * 1024,
      log,
      onRecycle: (reason) => recycled.inc({ reason }),
    });
    const renderer = new Renderer({
      chromium,
      lane: { concurrency, queueLimit: config.queueLimit, maxWaitMs: config.maxWaitMs },
      timeoutMs: config.timeoutMs,
      metrics,
      log,
    });
    const service = createRenderService({
      ...collections,
      renderer,
      templates: services.templates,
      handlebars,
      files,
      quota,
      events,
      webhooks,
      log,
    });
    mountRoutes(routes, service);
    return {
      service,
      async start() {
        if (!sandbox)
          log.warn(
            'running as root: Chromium works without its own sandbox; run the service as another user',
          );
        await chromium.warmUp().catch((error: unknown) => {
          throw new ConfigError(`CHROMIUM_PATH: ${messageOf(error)}`);
        });
      },
      stop: () => chromium.stop(),
      health: { browser: () => chromium.ping() },
      diagnose: { fonts: checkFonts },
    };
  },
});
