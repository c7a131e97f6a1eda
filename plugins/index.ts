import type { PluginLoader } from '../src/registry.ts';

/** The plugins that come with Platen, by name. Each is imported only when it is on. */
export const builtInPlugins: Readonly<Record<string, PluginLoader>> = {
  render: () => import('./render/plugin.ts'),
  'pdf-tools': () => import('./pdf-tools/plugin.ts'),
};
