import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addTypescriptClient, pythonClientEnv } from '../clients/client-of-guides.ts';
import { pageCount, pdfText, requireTools } from '../support/pdf/pdf.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { isThorough } from '../support/suite.ts';
import type { TestService } from '../support/service/service.ts';
import { abbreviate, guidesFolder, readBlocks, readCommands, runCommand } from './guide.ts';

// A cold compiler takes minutes on a busy machine.
setDefaultTimeout(300_000);

const service = sharedService();
const examplesFolder = join(guidesFolder, 'examples');

interface Language {
  guide: string;
  fence: string;
  extension: string;
  /** Fails where the programs cannot run. */
  probe: readonly string[];
}

const languages: readonly Language[] = [
  { guide: 'javascript.md', fence: 'js', extension: 'mjs', probe: ['node', '--version'] },
  {
    guide: 'python.md',
    fence: 'python',
    extension: 'py',
    probe: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
  },
  {
    guide: 'php.md',
    fence: 'php',
    extension: 'php',
    probe: ['php', '-r', "exit(PHP_VERSION_ID >= 80100 && extension_loaded('curl') ? 0 : 1);"],
  },
  { guide: 'go.md', fence: 'go', extension: 'go', probe: ['go', 'version'] },
  { guide: 'csharp.md', fence: 'csharp', extension: 'cs', probe: ['dotnet', '--version'] },
  // `--fail-with-body` is new in 7.76.
  { guide: 'curl.md', fence: 'sh', extension: 'sh', probe: ['curl', '--fail-with-body', '--version'] },
];

const python = isThorough ? pythonClientEnv() : undefined;

/** Tells whether the programs of a language run on this machine. Prints the reason if they do not. */
function canRun({ guide, extension, probe }: Language): boolean {
  const [command = ''] = probe;
  if (isThorough && extension === 'py' && !python) {
    console.log(`skipped: the programs of docs/guides/${guide}, because PyPI cannot be reached`);
    return false;
  }
  if (Bun.which(command) && Bun.spawnSync([...probe]).exitCode === 0) return true;
  console.log(`skipped: the programs of docs/guides/${guide}, because ${command} is missing or too old`);
  return false;
}

/**
 * Forwards requests to the service, but rejects the first document with 429 and the first read of a batch
 * with 503, as a busy service would.
 */
class BusyGateway implements AsyncDisposable {
  /**
   * The times in milliseconds at which documents arrived. The first was rejected, and the second is its
   * retry.
   */
  readonly documentTimesMs: number[] = [];
  readonly #server;
  #batchReads = 0;

  constructor({ url }: TestService) {
    const reject = (status: number, seconds: number) =>
      Response.json(
        { error: { code: 'RATE_LIMITED', message: 'busy', details: [], request_id: 'req_busy' } },
        { status, headers: { 'retry-after': String(seconds) } },
      );
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        if (pathname === '/v1/generate' && this.documentTimesMs.push(performance.now()) === 1)
          return reject(429, 1);
        if (pathname.startsWith('/v1/batches/') && (this.#batchReads += 1) === 1) return reject(503, 0);
        const { method, headers } = request;
        const body = method === 'GET' ? undefined : await request.bytes();
        return fetch(`${url}${pathname}${search}`, { method, headers, ...(body?.length && { body }) });
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

/** A temporary folder with the examples, like the folder of a reader. */
class Folder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(): Promise<Folder> {
    const path = await mkdtemp(join(tmpdir(), 'platen-guide-'));
    await cp(examplesFolder, path, { recursive: true });
    return new Folder(path);
  }

  read(name: string): Promise<Uint8Array> {
    return Bun.file(join(this.path, name)).bytes();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

test('each example is in a guide, word for word', async () => {
  const guides = (await readdir(guidesFolder)).filter((name) => name.endsWith('.md'));
  const blocks = (await Promise.all(guides.map(readBlocks))).flat();
  const shown = new Set(blocks.map(({ text }) => text));
  const examples = await readdir(examplesFolder);
  expect(examples.length).toBeGreaterThanOrEqual(2 * languages.length);
  for (const name of examples) {
    const text = await Bun.file(join(examplesFolder, name)).text();
    expect([name, shown.has(text)]).toEqual([name, true]);
  }
});

describe.each(languages)('$guide', ({ guide, fence, extension }) => {
  test('shows both programs, and the commands that run them', async () => {
    const blocks = await readBlocks(guide);
    for (const name of [`hello.${extension}`, `invoices.${extension}`]) {
      const text = await Bun.file(join(examplesFolder, name)).text();
      expect(blocks.filter((block) => block.language === fence && block.text === text)).toHaveLength(1);
      expect(blocks.some((block) => block.language === 'console' && block.text.includes(name))).toBe(true);
    }
  });
});

for (const language of languages) {
  const { guide } = language;
  test
    .skipIf(!canRun(language))
    .concurrent(`the programs of ${guide} print what it shows and save correct PDFs`, async () => {
      await using gateway = new BusyGateway(service());
      await using folder = await Folder.create();
      if (language.extension === 'mjs') await addTypescriptClient(folder.path);
      const key = await service().newKey();
      const consoles = (await readBlocks(guide)).filter((block) => block.language === 'console');
      expect(consoles).toHaveLength(2);
      for (const [index, block] of consoles.entries()) {
        // The first programs have no retries, except with a client.
        const url = index === 0 ? service().url : gateway.url;
        const env = { ...(language.extension === 'py' && python), PLATEN_URL: url, PLATEN_API_KEY: key };
        const commands = readCommands(block);
        const script = commands.map(({ command }) => command).join('\n');
        const { output, errors } = await runCommand(['sh', '-ec', script], { cwd: folder.path, env });
        // curl also reports the attempts that it retries.
        const faults = errors.replaceAll(/^curl: \(22\).*(429|503)\n/gm, '');
        const expected = commands.map((command) => command.output).join('');
        // `dotnet new` prints lines that differ between versions.
        expect({ output: abbreviate(output).slice(-expected.length), faults }).toEqual({
          output: expected,
          faults: '',
        });
      }

      const [first = 0, second = 0] = gateway.documentTimesMs;
      expect(second - first).toBeGreaterThan(900);
      const { body } = await service().get('/v1/templates', key);
      expect(body.data).toEqual([]);
      if (!requireTools()) return;
      expect(await pdfText(await folder.read('hello.pdf'))).toContain('Hello Ada');
      const invoice = await folder.read('invoice.pdf');
      expect(await pageCount(invoice)).toBe(1);
      expect(await pdfText(invoice)).toMatch(/Invoice 118\s+€49\.50/);
      const merged = await pdfText(await folder.read('invoices.pdf'));
      expect(merged.match(/Invoice \d+/g)).toEqual(['Invoice 119', 'Invoice 120', 'Invoice 121']);
    });
}

test('erase.mjs deletes the PDFs and files with a reference, and no others', async () => {
  await using folder = await Folder.create();
  await addTypescriptClient(folder.path);
  const account = await service().forNewAccount();
  const generate = (reference: string) => account.post('/v1/generate', { html: '<p>Hello</p>', reference });
  const { body: one } = await generate('customer-4711');
  const { body: other } = await generate('customer-4712');
  const { body: merged } = await account.post('/v1/pdf/merge', {
    pdfs: [one.id, one.id],
    reference: 'customer-4711',
  });
  const env = { PLATEN_URL: account.url, PLATEN_API_KEY: account.key };
  const { output, errors } = await runCommand(['node', 'erase.mjs', 'customer-4711'], {
    cwd: folder.path,
    env,
  });
  expect({ output, errors }).toEqual({
    output: `deleted ${one.id}\ndeleted ${merged.file_id}\n`,
    errors: '',
  });
  const { body: generations } = await account.get('/v1/generations');
  expect(generations.data.map(({ id }: { id: string }) => id)).toEqual([other.id]);
  expect((await account.get('/v1/files')).body.data).toEqual([]);
});
