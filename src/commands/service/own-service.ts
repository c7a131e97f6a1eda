import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOwnConfig } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { createLog } from '../../log.ts';
import { startService, type Service } from '../../service.ts';
import { SIGNAL_STATUS, UsageError } from '../failures.ts';

/** A service that a command started for itself. */
export interface OwnService {
  url: string;
  key: string;
  close: () => Promise<void>;
}

/**
 * Starts a service in this process on a loopback port. Its database and files are in a temporary folder,
 * which is deleted when the service is closed, at a signal and when the process ends.
 */
export async function startOwnService(): Promise<OwnService> {
  const opened = Promise.withResolvers<Service>();
  let folder: string | undefined;
  const deleteFolder = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  let closing: Promise<void> | undefined;
  const close = () =>
    (closing ??= opened.promise.then(
      (service) => service.close(),
      () => undefined,
    )).finally(deleteFolder);
  process.on('exit', deleteFolder);
  // A signal that arrives earlier would leave the folder behind.
  for (const [signal, status] of Object.entries(SIGNAL_STATUS))
    process.once(signal, () => void close().finally(() => process.exit(status)));
  folder = mkdtempSync(join(tmpdir(), 'platen-'));
  try {
    opened.resolve(startService(loadOwnConfig(folder), createLog({ level: 'silent' })));
    const { url, firstKey } = await opened.promise;
    if (firstKey === undefined) throw new Error('the new database already has an account');
    return { url, key: firstKey, close };
  } catch (error) {
    opened.reject(error);
    await close();
    throw new UsageError(`the service of this command cannot start: ${messageOf(error)}`);
  }
}
