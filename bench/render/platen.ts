import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platen, ServiceProcess } from '../../tests/support/service/process.ts';
import { s3Server } from '../../tests/support/service/s3-server.ts';
import { mongoServer } from '../../tests/support/service/servers.ts';
import type { Contestant } from './contestant.ts';

/** Starts Platen with SQLite and files on disk, as `npm start` does. */
export function embeddedPlaten(settings: { executablePath: string; documents: readonly string[] }) {
  return startPlaten('Platen', settings, {});
}

/** Starts Platen with SQLite and without receipts. */
export async function platenWithoutReceipts(settings: {
  executablePath: string;
  documents: readonly string[];
}): Promise<Contestant> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const path = join(folder, 'platen.config.json');
  await writeFile(path, JSON.stringify({ plugins: { render: { receipts: false } } }));
  return startPlaten('Platen, no receipts', settings, { PLATEN_CONFIG: path });
}

/**
 * Starts Platen with local MongoDB and S3 servers; `undefined`, with a printed reason, if they are missing.
 */
export async function distributedPlaten(settings: {
  executablePath: string;
  documents: readonly string[];
}): Promise<Contestant | undefined> {
  const mongo = await mongoServer();
  const s3 = mongo && (await s3Server());
  return (
    mongo &&
    s3 &&
    startPlaten('Platen, MongoDB + S3', settings, {
      MONGODB_URL: mongo.url,
      PLATEN_SECRET: 'a benchmark secret',
      ...s3.env,
    })
  );
}

async function startPlaten(
  way: string,
  { executablePath, documents }: { executablePath: string; documents: readonly string[] },
  state: Record<string, string>,
): Promise<Contestant> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'error', CHROMIUM_PATH: executablePath, ...state };
  const service = new ServiceProcess(env);
  const url = await service.ready();
  const created = await platen(
    ['keys', 'create', '--email', 'bench@example.com', '--plan', 'enterprise'],
    env,
  );
  const key = created.stdout.trim();
  if (created.code !== 0) throw new Error(`no key was created: ${created.stderr}`);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    way,
    documents,
    prepare(html) {
      const body = JSON.stringify({ html });
      return Promise.resolve(async () => {
        const response = await fetch(`${url}/v1/generate`, { method: 'POST', headers, body });
        const answer = await response.text();
        if (response.status !== 200) throw new Error(`${way} returned ${response.status}: ${answer}`);
        return { pages: () => Number(JSON.parse(answer).pages) };
      });
    },
    rootPid: () => service.pid,
    async stop() {
      service.kill('SIGTERM');
      await service.exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
