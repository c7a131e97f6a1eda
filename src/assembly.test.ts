import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble } from './assembly.ts';
import { loadConfig } from './config.ts';
import { createLog } from './log.ts';

test('every writing route counts against the limit of concurrent requests, unless it only stores or looks up', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-routes-'));
  try {
    const config = loadConfig({ env: { PATH: process.env['PATH'], DATA_DIR: dataDir }, cwd: dataDir });
    await using assembly = await assemble(config, createLog({ level: 'silent' }), () => '');
    const uncounted = assembly.routes.filter(
      // The studio's own routes only store and look up.
      ({ method, path, spec }) => method !== 'get' && !spec.worksOnDocument && !path.startsWith('/studio/'),
    );
    expect(uncounted.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'delete /v1/assets/:name',
      'delete /v1/certificates/:id',
      'delete /v1/files/:id',
      'delete /v1/generations/:id',
      'delete /v1/keys/:id',
      'delete /v1/templates/:id',
      'delete /v1/templates/:id/cases/:name',
      'delete /v1/templates/:id/versions/:version',
      'delete /v1/webhook-endpoints/:id',
      'patch /v1/webhook-endpoints/:id',
      'post /v1/batches',
      'post /v1/batches/:id/cancel',
      'post /v1/generate/batch',
      'post /v1/keys',
      'post /v1/marketplace/:id/publish',
      'post /v1/marketplace/:id/unpublish',
      'post /v1/webhook-endpoints',
      'post /v1/webhook-endpoints/:id/rotate-secret',
      'post /v1/webhook-endpoints/:id/test',
      'post /v1/webhooks/deliveries/:id/retry',
      'put /v1/templates/:id/cases/:name',
    ]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
