import type { Routes } from '../../src/plugin.ts';
import type { UsageService } from './contract.ts';
import { UsageResponse, usageExample } from './schemas.ts';

/** Mounts `GET /v1/usage`. */
export function mountRoutes(routes: Routes, usage: UsageService): void {
  routes.get(
    '/v1/usage',
    {
      scope: 'usage',
      operationId: 'getUsage',
      summary: 'Read the usage of the account this month',
      response: { schema: UsageResponse, example: usageExample },
    },
    ({ account }) => usage.read(account),
  );
}
