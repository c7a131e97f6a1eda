import { definePlugin } from '../../src/plugin.ts';
import '../render/contract.ts';
import './contract.ts';
import { openProvider } from './providers/open-provider.ts';
import { mountRoutes } from './routes.ts';
import { createAiService } from './service.ts';
import { aiConfig, aiEnv, hostOf, readProvider } from './settings.ts';

export default definePlugin({
  name: 'ai',
  title: 'AI',
  description: 'Have a language model write a template.',
  guide: new URL('../../docs/ai.md', import.meta.url),
  requires: ['documents', 'render'],
  config: aiConfig,
  env: aiEnv,
  errors: {
    AI_ERROR: {
      status: 502,
      meaning: 'The AI provider failed, timed out, or returned no usable template.',
    },
    AI_NOT_CONFIGURED: { status: 503, meaning: 'No AI provider is configured.' },
  },
  async setup({ config, services, sandbox, openEgress, log, routes }) {
    const settings = readProvider(config);
    const service = createAiService({
      // The provider may be on a private address. This guard allows only its host and port, and only this
      // plugin uses the guard.
      provider: settings && openProvider(settings, await openEgress([hostOf(settings)])),
      secret: settings?.apiKey,
      timeoutMs: config.timeoutMs,
      concurrency: config.concurrency,
      tasks: sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url)),
      handlebars: services.documents.handlebars,
      render: services.render,
      log,
    });
    mountRoutes(routes, service);
    return { service };
  },
});
