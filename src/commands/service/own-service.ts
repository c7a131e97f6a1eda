import { loadOwnConfig } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { createLog } from '../../log.ts';
import { startService, type Service } from '../../service.ts';
import { SIGNAL_STATUS, UsageError } from '../failures.ts';
import { TemporaryFolder } from './temporary-folder.ts';

/** A service that a command started for itself. */
export interface OwnService {
  url: string;
  key: string;
  /** The name and version of the browser, and the path of its program. */
  browser: () => Promise<string>;
  close: () => Promise<void>;
}

/** The options of an own service. */
export interface OwnServiceOptions {
  /** The path of the browser, in place of `CHROMIUM_PATH`. */
  chromium?: string | undefined;
  /** Whether it has the starter templates. */
  withStarters?: boolean;
}

/** Closes each service of this process that is open or is being opened. */
const open = new Set<() => Promise<void>>();

/**
 * Starts a service in this process on a loopback port. Its database and files are in a temporary folder,
 * which is deleted when the service is closed, at a signal and when the process ends.
 */
export async function startOwnService(options: OwnServiceOptions = {}): Promise<OwnService> {
  const opened = Promise.withResolvers<Service>();
  let folder: TemporaryFolder | undefined;
  let closing: Promise<void> | undefined;
  const close = () =>
    (closing ??= opened.promise.then(
      (service) => service.close(),
      () => undefined,
    )).finally(() => {
      folder?.[Symbol.dispose]();
      open.delete(close);
    });
  // A signal that arrives earlier would leave the folder behind.
  if (open.size === 0) closeAtSignals();
  open.add(close);
  folder = new TemporaryFolder();
  try {
    opened.resolve(startService(loadOwnConfig(folder.path, options), createLog({ level: 'silent' })));
    const { url, firstKey, health } = await opened.promise;
    if (firstKey === undefined) throw new Error('the new database already has an account');
    return { url, key: firstKey, browser: async () => (await health['browser']?.()) ?? '', close };
  } catch (error) {
    opened.reject(error);
    await close();
    throw new UsageError(`the service of this command cannot start: ${messageOf(error)}`);
  }
}

/** Ends the process at a signal, after all open services are closed. */
function closeAtSignals(): void {
  for (const [signal, status] of Object.entries(SIGNAL_STATUS))
    process.once(
      signal,
      () => void Promise.allSettled([...open].map((close) => close())).finally(() => process.exit(status)),
    );
}
