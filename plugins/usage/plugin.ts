import { definePlugin } from '../../src/plugin.ts';
import { mountRoutes } from './routes.ts';
import { createUsageService } from './service.ts';
import { toThresholdEvent, usageWebhooks } from './threshold.ts';

export default definePlugin({
  name: 'usage',
  title: 'Usage',
  description: 'Read the limits of the account and how much of them is left.',
  guide: new URL('../../docs/configuration.md', import.meta.url),
  webhooks: usageWebhooks,
  setup({ quota, administration, routes, webhooks }) {
    quota.reportThresholds(webhooks, toThresholdEvent);
    const service = createUsageService(quota, administration.plans);
    mountRoutes(routes, service);
    return { service };
  },
});
