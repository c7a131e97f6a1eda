import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { findChromium } from './browser/find-chromium.mjs';
import { ConfigError, definePlugin, messageOf, Type } from '../../src/plugin.ts';
import { createClaimChecks } from '../files/exports.ts';
import { createAssetPreparation } from './assets/prepare-assets.ts';
import { Browsers } from './browser/browsers.ts';
import { cacheEntries, createPrintCache } from './cache/print-cache.ts';
import { Chromium, CHROMIUM_MISSING, type RecycleReason } from './browser/chromium.ts';
import { FONT_CONFIG } from './browser/font-config.ts';
import { checkFonts } from './print/fonts.ts';
import { toPrintSetup } from './print/print-options.ts';
import { generations } from './generations/collections.ts';
import './contract.ts';
import { generationWebhooks } from './examples.ts';
import { generationInputs } from './queued/collections.ts';
import { createPageDrawing } from './preview/page-image.ts';
import { createOfficeDocuments } from './office/office-documents.ts';
import { createPdfAssembly } from './assemble-pdf.ts';
import { mountImageRoute } from './image/routes.ts';
import { createZplWriter } from './image/draw-labels.ts';
import { createInvoicePreparation } from './invoice/prepare-invoice.ts';
import { createMarkdownConversion } from './markdown/markdown.ts';
import { createAccessibility } from './accessibility/make-accessible.ts';
import { createPdfaConversion } from './pdfa.ts';
import { mountPreviewRoute } from './preview/routes.ts';
import { bundleReactScripts } from './react/react-scripts.ts';
import { createReceipts, noReceipts, receiptCollection } from './receipt/receipts.ts';
import { FontCoverage } from './receipt/font-coverage.ts';
import { ReactRenderer } from './react/react-renderer.ts';
import { Renderer } from './renderer.ts';
import { mountRoutes } from './routes.ts';
import { createRenderService } from './service.ts';
import { createUrlPatterns } from './url-patterns/url-patterns.ts';

const configSchema = Type.Object(
  {
    chromiumPath: Type.Optional(
      Type.String({ minLength: 1, description: 'The path of the browser; by default it is searched for.' }),
    ),
    earlierChromium: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The path of an earlier browser, for documents with `"browser": "earlier"`; such documents fail without it.',
      }),
    ),
    fontConfig: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The path of a fontconfig file that selects the fonts; by default the fonts of the system, Inter and Source Serif 4.',
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: 'How many documents are printed at once; by default two per core.',
      }),
    ),
    queueLimit: Type.Integer({
      minimum: 0,
      default: 200,
      description: 'How many requests may wait; further requests get 429.',
    }),
    maxQueued: Type.Integer({
      minimum: 1,
      default: 10_000,
      description:
        'How many documents of one account may be queued, counting items of batches; a further request with `async` gets 429.',
    }),
    maxQueuedRequests: Type.Integer({
      minimum: 1,
      default: 1000,
      description:
        'How many requests with `async` of one account may be queued; a further one gets 429. Each makes the next ones slower.',
    }),
    maxWaitMs: Type.Integer({
      minimum: 100,
      default: 30_000,
      description: 'How long a request may wait.',
    }),
    timeoutMs: Type.Integer({
      minimum: 1000,
      maximum: 600_000,
      default: 30_000,
      description: 'The deadline of a document, which includes all attempts.',
    }),
    reactTimeoutMs: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      default: 10_000,
      description: 'The time limit for compiling and rendering a React component, within the deadline.',
    }),
    maxPages: Type.Integer({
      minimum: 1,
      default: 50_000,
      description: 'The maximum number of pages of a document. PDF operations accept up to 50,000.',
    }),
    receipts: Type.Boolean({
      default: true,
      description: 'Whether receipts are kept, for 30 days.',
    }),
    cacheSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description:
          'How long an identical request of an account gets the PDF of the first one again; by default never.',
      }),
    ),
    warmUp: Type.Union([Type.Boolean(), Type.Literal('background')], {
      default: true,
      description:
        'Whether the browser starts with the service instead of with the first document. With `background`, the service does not wait for it.',
    }),
    maxJobsPerBrowser: Type.Integer({ minimum: 1, default: 5_000 }),
    maxBrowserMegabytes: Type.Integer({ minimum: 256, default: 3_000 }),
  },
  { additionalProperties: false },
);

const ISOLATED_NICENESS = 19;
/** How long a browser that few documents need runs without one. */
const IDLE_MS = 60_000;

export default definePlugin({
  name: 'render',
  title: 'Generate',
  description: 'Make a PDF from HTML, a template, a component, Markdown or a URL, and read your generations.',
  guide: new URL('../../docs/generate.md', import.meta.url),
  requires: ['documents', 'files'],
  uses: ['templates', 'assets', 'office'],
  config: configSchema,
  env: {
    CHROMIUM_PATH: 'chromiumPath',
    EARLIER_CHROMIUM_PATH: 'earlierChromium',
    RENDER_CONCURRENCY: 'concurrency',
    RENDER_FONT_CONFIG: 'fontConfig',
    RENDER_TIMEOUT_MS: 'timeoutMs',
  },
  collections: { generations, generationInputs, receipts: receiptCollection, cacheEntries },
  webhooks: generationWebhooks,
  async setup({
    config,
    services,
    administration: { version },
    collections,
    accounts,
    files,
    deletions,
    jobs,
    sealer,
    sandbox,
    egress,
    events,
    quota,
    webhooks,
    metrics,
    log,
    routes,
  }) {
    const executablePath = config.chromiumPath ?? findChromium();
    const fontConfig = config.fontConfig ?? FONT_CONFIG;
    if (!existsSync(fontConfig))
      throw new ConfigError(`RENDER_FONT_CONFIG: the file ${fontConfig} does not exist`);
    const concurrency = config.concurrency ?? 2 * availableParallelism();
    const recycled = metrics.counter(
      'browser_recycles_total',
      'The browsers that were replaced, by reason: `crash`, `jobs` (many documents), `memory`, `hung` or `idle`.',
      ['reason'],
    );
    const hasOwnSandbox = process.getuid?.() !== 0;
    const browserOptions = {
      executablePath,
      fontConfig,
      proxyUrl: egress.url,
      sandbox: hasOwnSandbox,
      maxJobs: config.maxJobsPerBrowser,
      maxRssBytes: config.maxBrowserMegabytes * 1024 * 1024,
      decisionOf: (url: string) => egress.decisionOf(url),
      log,
      onRecycle: (reason: RecycleReason) => recycled.inc({ reason }),
    };
    // A component needs two browser pages: one renders it, another prints it.
    const ofCallers = { ...browserOptions, niceness: 0, idlePages: 2 * concurrency };
    const ofIsolated = { ...browserOptions, niceness: ISOLATED_NICENESS, idlePages: concurrency };
    const whenUsed = { idleTimeoutMs: IDLE_MS };
    const chromium = new Chromium(ofCallers);
    const isolated = new Chromium({ ...ofIsolated, ...whenUsed });
    const earlierPath = config.earlierChromium;
    const hasEarlierBrowser = earlierPath !== undefined && existsSync(earlierPath);
    if (earlierPath !== undefined && !hasEarlierBrowser)
      log.warn(
        { path: earlierPath },
        'EARLIER_CHROMIUM_PATH: the file does not exist; documents for the earlier browser fail',
      );
    const ofEarlier = { ...whenUsed, executablePath: earlierPath };
    const earlier = hasEarlierBrowser
      ? {
          shared: new Chromium({ ...ofCallers, ...ofEarlier }),
          isolated: new Chromium({ ...ofIsolated, ...ofEarlier }),
        }
      : undefined;
    const browsers = new Browsers({ shared: chromium, isolated, earlier, log });
    metrics.gauge(
      'isolated_accounts',
      'The accounts whose documents are printed in the isolated browser, because they took much time.',
      () => browsers.isolatedAccounts,
    );
    const renderer = new Renderer({
      browsers,
      fonts: new FontCoverage(fontConfig),
      react: new ReactRenderer(bundleReactScripts),
      queue: { concurrency, queueLimit: config.queueLimit, maxWaitMs: config.maxWaitMs },
      timeoutMs: config.timeoutMs,
      reactTimeoutMs: config.reactTimeoutMs,
      maxPages: config.maxPages,
      metrics,
      log,
    });
    let stopping = false;
    // Receipts that were stored before they were switched off are still deleted with their generations.
    const kept = createReceipts({ receipts: collections.receipts, log });
    const { cacheSeconds: seconds } = config;
    const parts = {
      ...collections,
      cache:
        seconds === undefined
          ? undefined
          : createPrintCache({
              ...collections,
              seconds,
              version,
              // A failing browser fails the print, which explains it.
              browserVersion: () => chromium.version().catch(() => undefined),
              receipts: kept,
              files,
              sealer,
              log,
            }),
      receipts: config.receipts
        ? kept
        : { ...noReceipts, delete: (ids: readonly string[]) => kept.delete(ids) },
      concurrency,
      timeoutMs: config.timeoutMs,
      hasEarlierBrowser,
      // Until the plugin pdf-tools allows it.
      protection: { isAllowed: false },
      signing: { signer: undefined },
      stopping: () => stopping,
      renderer,
      assemblePdf: createPdfAssembly(sandbox),
      writeZpl: createZplWriter(sandbox),
      convertToPdfa: createPdfaConversion(sandbox),
      prove: createClaimChecks(sandbox).prove,
      makeAccessible: createAccessibility(sandbox),
      prepareInvoice: createInvoicePreparation(sandbox),
      browserVersion: (options?: { launch?: boolean }) => chromium.version(options),
      convertMarkdown: createMarkdownConversion(sandbox),
      readUrlPatterns: createUrlPatterns(sandbox),
      templates: services.templates,
      office: services.office,
      officeDocuments: createOfficeDocuments({ ...services, sandbox }),
      handlebars: services.documents.handlebars,
      prepareAssets: createAssetPreparation(services.assets, { sandbox, fontConfig }),
      accounts,
      files,
      pdfFiles: services.files,
      testMark: services.files,
      readProperties: services.files.readProperties,
      deletions,
      quota,
      events,
      webhooks,
      jobs,
      sealer,
      maxQueued: config.maxQueued,
      maxQueuedRequests: config.maxQueuedRequests,
      log,
    };
    const service = createRenderService(parts);
    services.templates?.useOptionsCheck?.((options) => void toPrintSetup(options));
    services.files.registerReferences('render', {
      gen_: (accountId, id) => service.findPdf(accountId, id),
    });
    mountRoutes(routes, { render: service, files: services.files, templates: services.templates });
    mountImageRoute(routes, { render: service, files: services.files, templates: services.templates });
    mountPreviewRoute(routes, { ...parts, drawPage: createPageDrawing(sandbox) });
    return {
      service,
      async start() {
        if (!hasOwnSandbox)
          log.warn("running as root: Chromium's own sandbox is off; run the service as another user");
        if (!config.warmUp) return;
        if (!chromium.isInstalled) throw new ConfigError(`CHROMIUM_PATH: ${CHROMIUM_MISSING}`);
        const warm = chromium.warmUp().catch((error: unknown) => {
          throw new ConfigError(`CHROMIUM_PATH: ${messageOf(error)}`);
        });
        // If the start fails in the background, the first document reports the error.
        if (config.warmUp === 'background') warm.catch(() => {});
        else await Promise.all([warm, bundleReactScripts()]);
      },
      async stop() {
        stopping = true;
        await browsers.stop();
      },
      accountData: service.accountData,
      filesInUse: (fileIds) => service.filesInUse(fileIds),
      isFileOwner: (accountId, fileId) => service.isFileOwner(accountId, fileId),
      health: { browser: () => chromium.ping() },
      diagnose: { fonts: checkFonts, ...(earlier && { earlierChromium: () => earlier.shared.ping() }) },
    };
  },
});
