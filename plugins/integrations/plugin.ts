import { definePlugin, Type } from '../../src/plugin.ts';
import '../render/contract.ts';
import { mountRoutes } from './routes.ts';

export default definePlugin({
  name: 'integrations',
  title: 'Integrations',
  description: 'Connect automation platforms: a key test, two polling triggers and one action.',
  guide: new URL('../../docs/integrations/api.md', import.meta.url),
  requires: ['documents', 'files', 'render'],
  uses: ['templates'],
  config: Type.Object({}, { additionalProperties: false }),
  collections: {},
  setup({ services, routes }) {
    mountRoutes({ routes, render: services.render, templates: services.templates });
    return {};
  },
});
