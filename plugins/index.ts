import type { PluginLoader } from '../src/registry.ts';

/** The plugins that come with Platen, by name. Each is imported only when it is on. */
export const builtInPlugins: Readonly<Record<string, PluginLoader>> = {
  batch: () => import('./batch/plugin.ts'),
  render: () => import('./render/plugin.ts'),
  templates: () => import('./templates/plugin.ts'),
  marketplace: () => import('./marketplace/plugin.ts'),
  starters: () => import('./starters/plugin.ts'),
  ai: () => import('./ai/plugin.ts'),
  integrations: () => import('./integrations/plugin.ts'),
  'pdf-tools': () => import('./pdf-tools/plugin.ts'),
  forms: () => import('./forms/plugin.ts'),
};
