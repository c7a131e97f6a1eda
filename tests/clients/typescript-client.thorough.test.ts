import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../../plugins/render/browser/find-chromium.mjs';
import { installDeno } from '../../scripts/servers/deno.mjs';
import { ServerMissingError } from '../../scripts/servers/maven.mjs';
import { runCommand } from '../guides/guide.ts';
import { extendedService } from '../support/service/shared-service.ts';
import { allowedPort } from '../support/sites/allowed-ports.ts';
import { isThorough } from '../support/suite.ts';

// On a busy machine, npm and the compiler take a minute.
setDefaultTimeout(300_000);

const service = extendedService();

const root = join(import.meta.dir, '..', '..');
const client = join(root, 'clients', 'typescript');
const bin = join(root, 'node_modules', '.bin');
let project = '';

/** Runs a command in the project, with the service and a new account. */
async function run(...command: string[]): Promise<string> {
  const account = await service().forNewAccount();
  const env = {
    PLATEN_URL: account.url,
    PLATEN_API_KEY: account.key,
    RECEIVER_PORT: String(allowedPort()),
    npm_config_offline: 'true',
  };
  const { code, output, errors } = await runCommand(command, { cwd: project, env });
  expect({ command: command.join(' '), code, text: code === 0 ? '' : output + errors }).toEqual({
    command: command.join(' '),
    code: 0,
    text: '',
  });
  return output;
}

/** An empty project, into which npm installs the package that `npm pack` makes. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'platen-client-'));
  await Bun.write(join(project, 'package.json'), '{"type": "module", "private": true}');
  await run('npm', 'pack', '--silent', client);
  const [archive = ''] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await run('npm', 'install', '--silent', `./${archive}`);
  await cp(join(client, 'test'), project, { recursive: true });
}, 300_000);

afterAll(() => rm(project, { recursive: true, force: true }));

test('npm pack makes a package with types, and without dependencies', async () => {
  const folder = join(project, 'node_modules', '@platen', 'client');
  const files = await readdir(folder);
  expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  expect(await readdir(join(folder, 'dist'))).toContain('index.d.ts');
  const { dependencies, version, scripts } = await Bun.file(join(folder, 'package.json')).json();
  expect(dependencies).toBeUndefined();
  // npm warns about packages with scripts that could run when they are installed.
  expect(Object.keys(scripts)).toEqual(['prepack', 'test']);
  expect(version).toBe((await Bun.file(join(root, 'package.json')).json()).version);
});

test('its suite passes in Node', async () => {
  const suites = ['bulk.test.mjs', 'client.test.mjs', 'requests.test.mjs'];
  const output = await run('node', '--test', '--test-force-exit', ...suites);
  expect(output).toContain('# fail 0\n');
  expect(output).toContain('# skipped 0\n');
  expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(14);
});

test('its types have the names of the schemas, and reject wrong fields', async () => {
  await Bun.write(join(project, 'program.ts'), PROGRAM);
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
  await run(join(bin, 'tsc'), ...options, '--target', 'es2022', '--types', '', 'program.ts');
});

test('the examples of its page have correct types', async () => {
  const page = await Bun.file(join(root, 'docs', 'clients', 'typescript.md')).text();
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(6);
  await Bun.write(
    join(project, 'page.ts'),
    `${blocks.join('')}export default [bytes, made, image, content, letter, filled, used, limit, versions];\n`,
  );
  const types = ['--typeRoots', join(root, 'node_modules', '@types'), '--types', 'node', '--skipLibCheck'];
  await run(
    join(bin, 'tsc'),
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    ...types,
    'page.ts',
  );
});

const PROGRAM = `import { Platen, PlatenError, verifyWebhook } from '@platen/client';
import type { ApiError, Generation, Pdf, RenderOptions, Template, WebhookEvent } from '@platen/client';
const options: RenderOptions = { format: 'A4', margin: '20mm' };
// @ts-expect-error -- tsc must reject an unknown option
const wrong: RenderOptions = { fromat: 'A4' };
const platen = new Platen({ url: 'http://127.0.0.1:3000', apiKey: 'plt_live_1' });
const pdf: Pdf = await platen.generate({ html: '<p></p>', options });
const pages: number | null = pdf.pages;
const bytes: Uint8Array = await pdf.bytes();
// @ts-expect-error -- tsc must reject an unknown field
await platen.generate({ htlm: '<p></p>' });
const generation: Generation = await platen.generations.get(pdf.id);
const template: Template = await platen.templates.get('tmpl_1');
for await (const { id, status } of platen.generations.list({ reference: '4711', status: 'failed' })) id.concat(status);
// @ts-expect-error -- tsc must reject an unknown filter
platen.generations.list({ refrence: '4711' });
const merged = await platen.pdf('merge', { pdfs: [pdf.id] });
await merged.save('merged.pdf');
const { pages: sum } = await platen.pdf('info', { pdf: merged.id });
// @ts-expect-error -- merge takes pdfs
await platen.pdf('merge', { pdf: pdf.id });
const { used } = await platen.request('GET /v1/usage');
// @ts-expect-error -- the path needs its id
await platen.request('GET /v1/keys/{id}');
const event: WebhookEvent = await verifyWebhook('', new Headers(), 'whsec_');
if (event.type === 'batch.completed') event.data.batch_id.concat(String(used), String(sum));
const read = ({ code }: ApiError) => code;
export const name = (error: unknown) => (error instanceof PlatenError ? error.details[0]?.path : undefined);
export default [wrong, pages, bytes, generation, template, read];
`;

function denoCommand(): string[] | undefined {
  if (!isThorough) return undefined;
  try {
    return [installDeno(), 'run', '--allow-net', '--allow-env', '--allow-read', '--allow-write'];
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    console.log(`skipped: the client in Deno: ${error.message}`);
    return undefined;
  }
}

const runtimes = { Node: ['node'], Bun: [join(bin, 'bun')], Deno: denoCommand() };
for (const [name, command] of Object.entries(runtimes)) {
  test.skipIf(!command)(`makes, saves, uploads and downloads PDFs in ${name}`, async () => {
    const output = await run(...(command ?? []), 'runtime.mjs');
    expect(output).toBe(
      '1 page, true, hello.pdf,hello.pdf\n' +
        'The file missing.pdf cannot be used (it or its folder does not exist): correct the path.\n',
    );
  });
}

test('runs in a browser, behind a server that adds the key', async () => {
  const account = await service().forNewAccount();
  await using server = new BrowserGateway(
    account.url,
    account.key,
    join(project, 'node_modules/@platen/client/dist'),
  );
  const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
  if (!executablePath) throw new Error('Chromium is not installed');
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => document.title !== '');
    expect(await page.title()).toBe(
      '1 page, %PDF-, upload.pdf, upload.pdf, A browser has no paths: use `bytes()`, and upload a Blob.',
    );
  } finally {
    await browser.close();
  }
});

/** Serves a page that uses the client, and passes requests for the service on with a key. */
class BrowserGateway implements AsyncDisposable {
  readonly #server;

  constructor(serviceUrl: string, key: string, dist: string) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        if (pathname === '/') return new Response(PAGE, { headers: { 'content-type': 'text/html' } });
        if (pathname.startsWith('/dist/'))
          return new Response(Bun.file(join(dist, pathname.slice('/dist/'.length))));
        const headers = new Headers(request.headers);
        headers.set('authorization', `Bearer ${key}`);
        const { method } = request;
        const body = method === 'GET' ? undefined : await request.bytes();
        return fetch(`${serviceUrl}${pathname}${search}`, { method, headers, ...(body && { body }) });
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

const PAGE = `<!doctype html><title></title><script type="module">
import { Platen } from '/dist/index.js';
try {
  const platen = new Platen({ url: location.origin, apiKey: 'of-the-server' });
  const pdf = await platen.generate({ html: '<p>Hello</p>' });
  const bytes = await pdf.bytes();
  const upload = (content) => platen.files.upload(content, { file_name: 'upload' });
  const files = [await upload(new Blob([bytes])), await upload(new Blob([bytes]).stream())];
  const { message } = await pdf.save('hello.pdf').catch((error) => error);
  const start = new TextDecoder().decode(bytes.subarray(0, 5));
  document.title = [pdf.pages + ' page', start, ...files.map((file) => file.file_name), message].join(', ');
} catch (error) {
  document.title = error.stack;
}
</script>`;
