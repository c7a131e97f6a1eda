import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOwnConfig } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { createLog } from '../../log.ts';
import { startService } from '../../service.ts';
import { UsageError } from '../failures.ts';

/** A service that a command started for itself. */
export interface OwnService {
  url: string;
  key: string;
  close: () => Promise<void>;
}

/** Signals that end a command, and the status with which a shell reports each. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Starts a service in this process on a loopback port. Its database and files are in a temporary folder,
 * which is deleted when the service is closed, at a signal and when the process ends.
 */
export async function startOwnService(): Promise<OwnService> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-'));
  const deleteFolder = () => rmSync(folder, { recursive: true, force: true });
  process.on('exit', deleteFolder);
  const starting = startService(loadOwnConfig(folder), createLog({ level: 'silent' }));
  let closing: Promise<void> | undefined;
  const close = () =>
    (closing ??= starting
      .then(
        (service) => service.close(),
        () => undefined,
      )
      .finally(deleteFolder));
  for (const [signal, status] of Object.entries(SIGNALS))
    process.once(signal, () => void close().finally(() => process.exit(status)));
  try {
    const { url, firstKey } = await starting;
    if (firstKey === undefined) throw new Error('the new database already has an account');
    return { url, key: firstKey, close };
  } catch (error) {
    await close();
    throw new UsageError(`the service of this command cannot start: ${messageOf(error)}`);
  }
}
