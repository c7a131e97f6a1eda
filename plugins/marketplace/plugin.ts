import { definePlugin, Type } from '../../src/plugin.ts';
import '../templates/contract.ts';
import { mountRoutes } from './routes.ts';
import { createMarketplaceService } from './service.ts';

export default definePlugin({
  name: 'marketplace',
  title: 'Marketplace',
  description: 'Share templates between accounts.',
  guide: new URL('../../docs/marketplace.md', import.meta.url),
  requires: ['documents', 'templates'],
  uses: ['assets'],
  config: Type.Object({}, { additionalProperties: false }),
  collections: {},
  setup({ services, routes, jobs }) {
    const service = createMarketplaceService(services);
    // A template may have been deleted, or a process killed between two steps.
    jobs.sweep('published-assets', async (since) => {
      if (since === 0) await service.deleteStaleAssets();
    });
    mountRoutes(routes, { templates: services.templates, service });
    return {};
  },
});
