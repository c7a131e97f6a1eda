import { afterAll, beforeAll } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble, type Assembly } from '../../../src/assembly.ts';
import { loadConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/log.ts';

/**
 * Returns a function that returns the routes of a service with default settings, which is not started. Call
 * the returned function only inside tests.
 */
export function assembledRoutes(): () => Assembly['routes'] {
  let assembly: Assembly | undefined;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-routes-'));
    const env = { PATH: process.env['PATH'], DATA_DIR: folder, LOG_LEVEL: 'silent' };
    assembly = await assemble(loadConfig({ env, cwd: folder }), createLog({ level: 'silent' }), () => '');
  });
  afterAll(async () => {
    await assembly?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  return () => assembly?.routes ?? [];
}
