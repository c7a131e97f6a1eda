// Runs jsreport 4, configured for speed: `node jsreport-server.mjs <settings as JSON>`.
// Prints `ready` when it serves, and ends when its standard input ends.
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** @type {{ folder: string, executablePath: string, workers: number, port: number }} */
const { folder, executablePath, workers, port } = JSON.parse(process.argv[2] ?? '{}');
const load = createRequire(join(folder, 'package.json'));
const timeoutMs = 600_000;

const server = load('@jsreport/jsreport-core')({
  rootDirectory: folder,
  loadConfig: false,
  discover: false,
  useExtensionsLocationCache: false,
  logger: { silent: true },
  // No sandbox for template helpers, no profiling and no storage on disk.
  trustUserCode: true,
  profiler: { defaultMode: 'disabled' },
  store: { provider: 'memory' },
  blobStorage: { provider: 'memory' },
  encryption: { enabled: false },
  reportTimeout: timeoutMs,
  // A worker handles one request at a time and has its own browser pool, so one browser per worker is enough.
  workers: { numberOfWorkers: workers, initTimeout: timeoutMs },
  extensions: {
    express: { httpPort: port },
    'chrome-pdf': {
      strategy: 'chrome-pool',
      numberOfWorkers: 1,
      launchOptions: {
        executablePath,
        headless: 'shell',
        timeout: timeoutMs,
        args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      },
    },
  },
});
for (const extension of ['express', 'chrome-pdf', 'handlebars'])
  server.use(load(`@jsreport/jsreport-${extension}`)());
await server.init();
process.stdin.resume().on('end', () => server.close().finally(() => process.exit()));
console.log('ready');
