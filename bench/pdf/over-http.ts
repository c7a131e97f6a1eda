import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceProcess } from '../../tests/support/service/process.ts';
import { median } from '../statistics.ts';

/**
 * An operation over HTTP, and the arguments of qpdf for the same operation with `IN` and `OUT` in place of
 * the paths.
 */
interface Race {
  operation: string;
  fields: Record<string, string>;
  qpdf: readonly string[];
}

const PASSWORDS = { owner_password: 'owner', user_password: 'user' };

const RACES: readonly Race[] = [
  { operation: 'pages', fields: { pages: '500-1' }, qpdf: ['IN', '--pages', '.', 'z-1', '--', 'OUT'] },
  {
    operation: 'pages',
    fields: { pages: '1-250r90, 1-10' },
    qpdf: ['IN', '--pages', '.', '1-250,1-10', '--', '--rotate=+90:1-250', 'OUT'],
  },
  {
    operation: 'protect',
    fields: PASSWORDS,
    qpdf: ['--encrypt', 'user', 'owner', '256', '--', 'IN', 'OUT'],
  },
  // The command line of qpdf sets no properties, so it only writes the file again.
  { operation: 'properties', fields: { set: '{"title":"Annual report"}' }, qpdf: ['IN', 'OUT'] },
];

/**
 * Compares operations over HTTP (multipart in, the file out) with the command line of qpdf. Both write the
 * result to a file.
 */
export async function raceOverHttp(file: string, folder: string, rounds: number): Promise<void> {
  const config = join(folder, 'platen.config.json');
  writeFileSync(config, JSON.stringify({ plugins: { 'pdf-tools': { protect: true } } }));
  const env = { DATA_DIR: join(folder, 'data'), PLATEN_CONFIG: config, LOG_LEVEL: 'error' };
  const service = new ServiceProcess(env);
  try {
    const url = await service.ready();
    const key = await service.firstKey();
    const to = join(folder, 'result.pdf');
    for (const { operation, fields, qpdf } of RACES) {
      const platen = () => send(`${url}/v1/pdf/${operation}`, { key, file, fields, to });
      const command = qpdf.map((word) => (word === 'IN' ? file : word === 'OUT' ? to : word));
      const times = { platen: [] as number[], qpdf: [] as number[] };
      for (let round = 0; round <= rounds; round++) {
        const took = { platen: await time(platen), qpdf: await time(() => run(['qpdf', ...command])) };
        // The first round warms up.
        if (round === 0) continue;
        times.platen.push(took.platen);
        times.qpdf.push(took.qpdf);
      }
      const name = `${operation} ${Object.values(fields).join(', ')} over HTTP`;
      console.log(
        `${name}: Platen ${summary(times.platen)}, qpdf ${summary(times.qpdf)}, ratio ${(median(times.platen) / median(times.qpdf)).toFixed(2)}; goal: 1.5`,
      );
    }
  } finally {
    service.kill('SIGTERM');
    await service.exited;
  }
}

async function send(
  url: string,
  { key, file, fields, to }: { key: string; file: string; fields: Record<string, string>; to: string },
): Promise<void> {
  const body = new FormData();
  body.append('pdf', new Blob([readFileSync(file)]), 'input.pdf');
  for (const [name, value] of Object.entries({ ...fields, output: 'binary' })) body.append(name, value);
  const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  writeFileSync(to, await response.bytes());
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed`);
}

async function time(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function summary(values: readonly number[]): string {
  return `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)}) ms`;
}
