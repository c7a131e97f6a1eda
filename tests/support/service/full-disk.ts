import { spyOn } from 'bun:test';
import { loadConfig } from '../../../src/config.ts';
import { DiskReserve } from '../../../src/disk-reserve.ts';
import { openState } from '../../../src/state.ts';
import type { ApiResponse, TestService } from './service.ts';

/** Opens the database of a service. */
export async function openStore({ env, dataDir }: Pick<TestService, 'env' | 'dataDir'>) {
  const settings = { PATH: process.env['PATH'], ...env };
  return (await openState(loadConfig({ env: settings, cwd: dataDir }))).store;
}

/**
 * Runs work while the service takes the disk for full: the store then refuses every insert that does not use
 * the reserve.
 */
export async function onFullDisk<T>(work: () => Promise<T>): Promise<T> {
  const admits = spyOn(DiskReserve.prototype, 'admits').mockReturnValue(false);
  try {
    return await work();
  } finally {
    admits.mockRestore();
  }
}

/** Sends a request that must succeed, and returns the body of its response. */
export async function made(answer: Promise<ApiResponse>): Promise<ApiResponse['body']> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`the request responded with ${status}: ${JSON.stringify(body)}`);
  return body;
}
