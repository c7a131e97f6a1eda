import type { ComponentType } from 'preact';
import { may, type Permission, type Permitted } from './data/roles.ts';
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
  /** What the person needs to see the view. Without it, every member sees the view. */
  needs?: Permission;
}

/** The views. The first view whose path matches and that the person may see is shown. */
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
    needs: 'editor',
  },
  {
    path: /^\/studio\/templates\/(tmpl_[^/]+)$/,
    nav: '/studio/templates',
    load: async () => (await import('./screens/template.tsx')).TemplateView,
  },
  {
    path: /^\/studio\/trash$/,
    nav: '/studio/templates',
    load: async () => (await import('./screens/trash.tsx')).Trash,
    needs: 'editor',
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
    load: async () => (await import('./batches/batches.tsx')).Batches,
  },
  {
    path: /^\/studio\/batches\/(batch_[^/]+)$/,
    nav: '/studio/batches',
    load: async () => (await import('./batches/batch.tsx')).BatchView,
  },
  {
    path: /^\/studio\/tools$/,
    nav: '/studio/tools',
    load: async () => (await import('./tools/index-view.tsx')).Tools,
    needs: 'editor',
  },
  {
    path: /^\/studio\/tools\/([a-z-]+)$/,
    nav: '/studio/tools',
    load: async () => (await import('./tools/tool.tsx')).ToolView,
    needs: 'editor',
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
    needs: 'admin',
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
    needs: 'admin',
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
    needs: 'editor',
  },
  {
    path: /^\/studio\/audit$/,
    nav: '/studio/audit',
    load: async () => (await import('./screens/audit.tsx')).Audit,
    needs: 'admin',
  },
  {
    path: /^\/studio\/members$/,
    nav: '/studio/members',
    load: async () => (await import('./screens/members.tsx')).Members,
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
    needs: 'editor',
  },
  {
    path: /^\/studio\/accounts$/,
    nav: '/studio/accounts',
    load: async () => (await import('./screens/accounts.tsx')).Accounts,
    needs: 'operator',
  },
  {
    path: /^\/studio\/health$/,
    nav: '/studio/health',
    load: async () => (await import('./screens/health.tsx')).HealthView,
    needs: 'operator',
  },
  {
    path: /^\/studio\/metrics$/,
    nav: '/studio/metrics',
    load: async () => (await import('./screens/metrics.tsx')).Metrics,
    needs: 'operator',
  },
];

/** The view at a path. `refused` is a view at the path that the person may not see. */
export interface FoundView {
  entry: ViewEntry | undefined;
  refused: ViewEntry | undefined;
}

/** Finds the view that a person sees at a path. */
export function findView(session: Permitted, pathname: string): FoundView {
  const matching = views.filter(({ path }) => path.test(pathname));
  const entry = matching.find(({ needs = 'viewer' }) => may(session, needs));
  return { entry, refused: entry ? undefined : matching[0] };
}
