import { definePlugin } from '../../src/plugin.ts';
import { endpointWebhooks } from './endpoints/examples.ts';
import { mountRoutes } from './routes.ts';

export default definePlugin({
  name: 'webhooks',
  title: 'Webhooks',
  description:
    'Send the events of the account to webhook endpoints, read them, and read the log of the messages.',
  guide: new URL('../../docs/webhooks.md', import.meta.url),
  webhooks: endpointWebhooks,
  setup({ deliveries, routes }) {
    mountRoutes(routes, deliveries);
    return {};
  },
});
