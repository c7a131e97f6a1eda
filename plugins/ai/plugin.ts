import { definePlugin } from '../../src/plugin.ts';
import '../render/contract.ts';
import './contract.ts';
import { openProvider } from './providers/open-provider.ts';
import { mountRoutes } from './routes.ts';
import { createAiService } from './service.ts';
import { aiConfig, aiEnv, hostOf, readProvider } from './settings.ts';

export default definePlugin({
  name: 'ai',
  description: 'Templates that a language model writes.',
  requires: ['render'],
  config: aiConfig,
  env: aiEnv,
  errors: {
    AI_ERROR: {
      status: 502,
      meaning: 'The AI provider failed, took too long, or gave nothing that can be used.',
    },
    AI_NOT_CONFIGURED: { status: 503, meaning: 'The operator has configured no AI provider.' },
  },
  async setup({ config, services, sandbox, handlebars, openEgress, log, routes }) {
    const settings = readProvider(config);
    const service = createAiService({
      // The operator may have the provider on a private address: of this guard alone, and of nothing but that host and port.
      provider: settings && openProvider(settings, await openEgress([hostOf(settings)])),
      secret: settings?.apiKey,
      timeoutMs: config.timeoutMs,
      concurrency: config.concurrency,
      tasks: sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url)),
      handlebars,
      render: services.render,
      log,
    });
    mountRoutes(routes, service);
    return { service };
  },
});
