import { definePlugin } from '../../src/plugin.ts';
import { mountRoutes } from './routes.ts';

export default definePlugin({
  name: 'audit',
  title: 'Audit log',
  description: 'Read who changed what in the account.',
  guide: new URL('../../docs/audit.md', import.meta.url),
  setup({ auditLog, routes }) {
    mountRoutes(routes, auditLog);
    return {};
  },
});
