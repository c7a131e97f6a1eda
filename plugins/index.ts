import type { PluginLoader } from '../src/registry.ts';

/**
 * The plugins that come with Platen, by name, in the order of the API documentation. A plugin is imported
 * only if it is switched on.
 */
export const builtInPlugins: Readonly<Record<string, PluginLoader>> = {
  render: () => import('./render/plugin.ts'),
  batch: () => import('./batch/plugin.ts'),
  templates: () => import('./templates/plugin.ts'),
  'template-tests': () => import('./template-tests/plugin.ts'),
  assets: () => import('./assets/plugin.ts'),
  starters: () => import('./starters/plugin.ts'),
  marketplace: () => import('./marketplace/plugin.ts'),
  'pdf-tools': () => import('./pdf-tools/plugin.ts'),
  office: () => import('./office/plugin.ts'),
  forms: () => import('./forms/plugin.ts'),
  ai: () => import('./ai/plugin.ts'),
  gotenberg: () => import('./gotenberg/plugin.ts'),
  browserless: () => import('./browserless/plugin.ts'),
  mcp: () => import('./mcp/plugin.ts'),
  integrations: () => import('./integrations/plugin.ts'),
  studio: () => import('./studio/plugin.ts'),
  documents: () => import('./documents/plugin.ts'),
  files: () => import('./files/plugin.ts'),
  keys: () => import('./keys/plugin.ts'),
  webhooks: () => import('./webhooks/plugin.ts'),
  usage: () => import('./usage/plugin.ts'),
  audit: () => import('./audit/plugin.ts'),
};

/** The commands of plugins, by name. They run without the service. */
export const pluginCommands = {
  wkhtmltopdf: () => import('./render/wkhtmltopdf/command.ts'),
};
