import { definePlugin, Type } from '../../src/plugin.ts';
import '../templates/contract.ts';
import { mountRoutes } from './routes.ts';

export default definePlugin({
  name: 'marketplace',
  title: 'Marketplace',
  description: 'Share templates between accounts.',
  guide: new URL('./README.md', import.meta.url),
  requires: ['templates'],
  config: Type.Object({}, { additionalProperties: false }),
  collections: {},
  setup({ services, routes }) {
    mountRoutes(routes, services.templates);
    return {};
  },
});
