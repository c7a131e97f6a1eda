import type { ComponentType } from 'preact';
import type { ViewProps } from './view-props.ts';

type View = ComponentType<ViewProps>;

/** A view: its path, and the module that is loaded when it is opened. */
export interface ViewEntry {
  path: RegExp;
  load: () => Promise<View>;
  /** The entry of the navigation that is marked as current. */
  nav: string;
  /** A view that uses the whole window and scrolls its own parts. */
  isWorkbench?: boolean;
}

/** The views. The first view whose path matches is shown. */
export const views: ViewEntry[] = [
  { path: /^\/(?:studio\/?)?$/, nav: '/', load: async () => (await import('./screens/home.tsx')).Home },
  {
    path: /^\/studio\/templates$/,
    nav: '/studio/templates',
    load: async () => (await import('./screens/templates.tsx')).Templates,
  },
  {
    path: /^\/studio\/templates\/(tmpl_[^/]+|new)$/,
    nav: '/studio/templates',
    load: async () => (await import('./editor/editor.tsx')).Editor,
    isWorkbench: true,
  },
  {
    path: /^\/studio\/trash$/,
    nav: '/studio/templates',
    load: async () => (await import('./screens/trash.tsx')).Trash,
  },
  {
    path: /^\/studio\/generations$/,
    nav: '/studio/generations',
    load: async () => (await import('./screens/generations.tsx')).Generations,
  },
  {
    path: /^\/studio\/generations\/(gen_[^/]+)$/,
    nav: '/studio/generations',
    load: async () => (await import('./screens/generation.tsx')).GenerationView,
  },
  {
    path: /^\/studio\/batches$/,
    nav: '/studio/batches',
    load: async () => (await import('./screens/batches.tsx')).Batches,
  },
  {
    path: /^\/studio\/tools$/,
    nav: '/studio/tools',
    load: async () => (await import('./tools/index-view.tsx')).Tools,
  },
  {
    path: /^\/studio\/tools\/([a-z-]+)$/,
    nav: '/studio/tools',
    load: async () => (await import('./tools/tool.tsx')).ToolView,
  },
  {
    path: /^\/studio\/files$/,
    nav: '/studio/files',
    load: async () => (await import('./screens/files.tsx')).Files,
  },
  {
    path: /^\/studio\/keys$/,
    nav: '/studio/keys',
    load: async () => (await import('./screens/keys.tsx')).Keys,
  },
  {
    path: /^\/studio\/usage$/,
    nav: '/studio/usage',
    load: async () => (await import('./screens/usage.tsx')).UsageView,
  },
  {
    path: /^\/studio\/webhooks$/,
    nav: '/studio/webhooks',
    load: async () => (await import('./screens/webhooks/webhooks.tsx')).Webhooks,
  },
  {
    path: /^\/studio\/asset-library$/,
    nav: '/studio/asset-library',
    load: async () => (await import('./screens/assets.tsx')).Assets,
  },
  {
    path: /^\/studio\/certificates$/,
    nav: '/studio/certificates',
    load: async () => (await import('./screens/certificates.tsx')).Certificates,
  },
  {
    path: /^\/studio\/audit$/,
    nav: '/studio/audit',
    load: async () => (await import('./screens/audit.tsx')).Audit,
  },
  {
    path: /^\/studio\/security$/,
    nav: '/studio/security',
    load: async () => (await import('./screens/security.tsx')).Security,
  },
  {
    path: /^\/studio\/marketplace$/,
    nav: '/studio/marketplace',
    load: async () => (await import('./screens/marketplace.tsx')).Marketplace,
  },
  {
    path: /^\/studio\/accounts$/,
    nav: '/studio/accounts',
    load: async () => (await import('./screens/accounts.tsx')).Accounts,
  },
  {
    path: /^\/studio\/health$/,
    nav: '/studio/health',
    load: async () => (await import('./screens/health.tsx')).HealthView,
  },
  {
    path: /^\/studio\/metrics$/,
    nav: '/studio/metrics',
    load: async () => (await import('./screens/metrics.tsx')).Metrics,
  },
];
