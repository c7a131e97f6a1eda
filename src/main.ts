import { loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { startService } from './service.ts';

/** Runs the service until SIGTERM or SIGINT, then drains it. Resolves when all resources are released. */
export async function serve(): Promise<void> {
  const config = loadConfig();
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  const stop = Promise.withResolvers<NodeJS.Signals>();
  // A terminal signals the whole process group and the launcher forwards signals, so the same request may
  // arrive twice.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.resolve(signal));

  const service = await startService(config, log);
  log.info({ url: service.url }, 'ready');
  const command = config.env('PLATEN_COMMAND') ?? 'platen';
  console.log(greet({ ...service, dataDir: config.dataDir, command, lines: await service.greet() }));

  const signal = await stop.promise;
  log.info({ signal }, 'stopping');
  await service.close();
  log.info('stopped');
}

function greet({
  url,
  dataDir,
  firstKey,
  command,
  lines: ofPlugins,
}: {
  url: string;
  dataDir: string;
  firstKey: string | undefined;
  command: string;
  lines: readonly string[];
}): string {
  const lines = [
    `Platen listens on ${url} (documentation: ${url}/docs).`,
    `Its data is in ${dataDir}; DATA_DIR sets another folder.`,
  ];
  if (ofPlugins.length > 0) lines.push('', ...ofPlugins);
  if (firstKey) {
    lines.push(
      '',
      `Your first API key (shown only once): ${firstKey}`,
      '',
      'Paste this line into a shell to create hello.pdf:',
      '',
      firstRequest(url, firstKey),
    );
  }
  lines.push('', `To create another API key: ${command} keys create --email you@example.com`);
  return `${lines.join('\n')}\n`;
}

/** Returns a shell command that creates a PDF. */
function firstRequest(url: string, key: string): string {
  const body = JSON.stringify({ html: '<h1>Hello from Platen</h1><p>Your first PDF.</p>', output: 'binary' });
  const request = `curl -fsS ${url}/v1/generate -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'`;
  return `${request} -o hello.pdf && ls -l hello.pdf`;
}
