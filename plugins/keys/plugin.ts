import { definePlugin } from '../../src/plugin.ts';
import { mountRoutes } from './routes.ts';

export default definePlugin({
  name: 'keys',
  title: 'API keys',
  description: 'Create, list and revoke API keys with an API key.',
  guide: new URL('../../docs/keys.md', import.meta.url),
  setup({ administration, routes }) {
    mountRoutes(routes, administration.accounts);
    return {};
  },
});
