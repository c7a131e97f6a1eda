import type { Session } from './data/types.ts';
import type { IconName } from './ui/icon.tsx';
import { findView } from './views.ts';

export interface NavEntry {
  url: string;
  label: string;
  icon: IconName;
  /** The plugin that the view needs. */
  plugin?: string;
}

const groups: { label: string; entries: NavEntry[] }[] = [
  {
    label: 'Documents',
    entries: [
      { url: '/', label: 'Overview', icon: 'home' },
      { url: '/studio/templates', label: 'Templates', icon: 'template', plugin: 'templates' },
      { url: '/studio/marketplace', label: 'Marketplace', icon: 'market', plugin: 'marketplace' },
      { url: '/studio/generations', label: 'Generations', icon: 'history', plugin: 'render' },
      { url: '/studio/batches', label: 'Batches', icon: 'batch', plugin: 'batch' },
      { url: '/studio/tools', label: 'PDF tools', icon: 'tools', plugin: 'pdf-tools' },
      { url: '/studio/files', label: 'Files', icon: 'files', plugin: 'files' },
    ],
  },
  {
    label: 'Account',
    entries: [
      { url: '/studio/usage', label: 'Usage', icon: 'usage' },
      { url: '/studio/keys', label: 'API keys', icon: 'key' },
      { url: '/studio/webhooks', label: 'Webhooks', icon: 'webhook', plugin: 'webhooks' },
      { url: '/studio/asset-library', label: 'Assets and fonts', icon: 'assets', plugin: 'assets' },
      { url: '/studio/certificates', label: 'Certificates', icon: 'certificate', plugin: 'pdf-tools' },
      { url: '/studio/audit', label: 'Audit log', icon: 'audit', plugin: 'audit' },
      { url: '/studio/members', label: 'Members', icon: 'members' },
      { url: '/studio/security', label: 'Sign-in and data', icon: 'shield' },
    ],
  },
  {
    label: 'Operator',
    entries: [
      { url: '/studio/accounts', label: 'Accounts', icon: 'account' },
      { url: '/studio/health', label: 'Health', icon: 'gauge' },
      { url: '/studio/metrics', label: 'Metrics', icon: 'metrics' },
    ],
  },
];

/** Returns the groups of the navigation, with the views whose plugins are on and that the person may see. */
export function navigationOf(session: Session): { label: string; entries: NavEntry[] }[] {
  const isVisible = ({ url, plugin }: NavEntry) =>
    (plugin === undefined || session.service.plugins.includes(plugin)) &&
    findView(session, url).entry !== undefined;
  return groups
    .map(({ label, entries }) => ({ label, entries: entries.filter(isVisible) }))
    .filter(({ entries }) => entries.length > 0);
}
