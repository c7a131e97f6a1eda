import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addTypescriptClient } from '../clients/client-of-guides.ts';
import { pdfText, requireTools } from '../support/pdf/pdf.ts';
import { platen } from '../support/service/process.ts';
import { until } from '../support/until.ts';
import { TestService } from '../support/service/service.ts';
import { abbreviate, guidesFolder, readBlocks, readCommands, runCommand, type Block } from './guide.ts';

setDefaultTimeout(120_000);

/**
 * Follows a guide: saves the files that it shows, runs its commands in order, and compares what they print.
 */
async function follow(
  blocks: readonly Block[],
  {
    cwd,
    env,
    adapt = (text) => text,
  }: { cwd: string; env: Record<string, string>; adapt?: (text: string) => string },
): Promise<number> {
  let count = 0;
  let variables = '';
  for (const block of blocks) {
    if (block.file) await writeFile(join(cwd, block.file), adapt(block.text));
    if (block.language !== 'console') continue;
    for (const { command, output: expected } of readCommands(block)) {
      const script = `${variables}${adapt(command)}`;
      const { output, errors, code } = await runCommand(['sh', '-ec', script], { cwd, env });
      expect({ command, output: abbreviate(output).trim(), errors, code }).toEqual({
        command,
        output: adapt(expected).trim(),
        errors: '',
        code: 0,
      });
      // Each command has its own shell.
      if (/^\w+=/.test(command)) variables += `${command}\n`;
      count += 1;
    }
  }
  return count;
}

/** Finds a free port. Another process may take it before it is used. */
async function findPort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

let service: TestService;
let port: number;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  port = await findPort();
  service = await TestService.start({ env: { EGRESS_ALLOW: `127.0.0.1:${port}` } });
  env = { PLATEN_URL: service.url, PLATEN_API_KEY: service.key };
}, 60_000);
afterAll(() => service[Symbol.asyncDispose](), 60_000);

describe('docs/guides/templates.md', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-guide-'));
    await cp(join(guidesFolder, 'examples'), folder, { recursive: true });
    await addTypescriptClient(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('works from the first template to its last version', async () => {
    expect(await follow(await readBlocks('templates.md'), { cwd: folder, env })).toBeGreaterThan(8);
    const { body: listed } = await service.get('/v1/generations');
    expect(listed.data).toHaveLength(2);
    if (!requireTools()) return;
    const [text = '', first] = await Promise.all(
      ['invoice.pdf', 'first.pdf'].map(async (name) => pdfText(await readFile(join(folder, name)))),
    );
    expect(first).toBe(text);
    expect(text).toMatch(/Analysis\s+3\s+€285\.00/);
    expect(text).toMatch(/Notes & translation\s+1\s+€480\.50/);
    expect(text).toContain('Total €765.50');
    expect(text).toContain('Due December 31, 2026');
    const [page1 = '', page2 = ''] = text.split('\f');
    expect(page1).toMatch(/1 ?\/ ?2/);
    expect(page1).not.toContain('Payable');
    expect(page2).toContain('Payable within 30 days.');
  });

  test('previews again after a change when it watches', async () => {
    const child = Bun.spawn(['node', 'preview.mjs', '--watch'], {
      cwd: folder,
      env: { ...env, PATH: process.env['PATH'] },
      stdout: 'pipe',
    });
    let printed = '';
    const reading = (async () => {
      for await (const chunk of child.stdout) printed += new TextDecoder().decode(chunk);
    })();
    try {
      await until(() => printed.includes('page 1 of 2'));
      const data = JSON.parse(await readFile(join(folder, 'invoice.json'), 'utf8'));
      // The watch begins shortly after the first line, so the file is changed until the program notices.
      let changedAt = Number.NEGATIVE_INFINITY;
      await until(async () => {
        if (performance.now() > changedAt + 2_000) {
          await writeFile(join(folder, 'invoice.json'), JSON.stringify({ ...data, terms: '' }));
          changedAt = performance.now();
        }
        return printed.includes('page 1 of 1');
      });
    } finally {
      child.kill();
      await reading;
    }
  });
});

test('docs/guides/webhooks.md works, from the receiver to a repeated delivery', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'platen-guide-'));
  await addTypescriptClient(cwd);
  const adapt = (text: string) => text.replaceAll('8080', String(port));
  const blocks = await readBlocks('webhooks.md');
  const shown = blocks.find(({ file }) => file === 'receiver.mjs');
  await writeFile(join(cwd, 'receiver.mjs'), adapt(shown?.text ?? ''));
  const secret = await platen(['webhooks', 'secret', '--email', 'admin@localhost'], service.env);
  const child = Bun.spawn(['node', 'receiver.mjs'], {
    cwd,
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret.stdout.trim() },
    stdout: 'pipe',
  });
  let printed = '';
  const reading = (async () => {
    for await (const chunk of child.stdout) printed += new TextDecoder().decode(chunk);
  })();
  try {
    await until(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    );
    const valid = /^generation\.completed gen_\w{24}$/gm;
    // The message must have arrived before the deliveries are listed.
    const listed = blocks.findIndex(({ text }) => text.includes('/v1/webhooks/deliveries'));
    expect(await follow(blocks.slice(0, listed), { cwd, env, adapt })).toBe(2);
    await until(async () => {
      const { body } = await service.get('/v1/webhooks/deliveries');
      return body.data[0]?.status === 'delivered';
    });
    expect(printed.match(valid)).toHaveLength(1);
    const rejection = 'rejected a request: ';
    const rejections = printed.split(rejection).length;
    const forged = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'webhook-id': 'msg_forged',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        // As long as a signature in characters, but not in bytes.
        'webhook-signature': `v1,${'é'.repeat(44)}`,
      },
      body: '{}',
    });
    expect(forged.status).toBe(400);
    await until(() => printed.split(rejection).length === rejections + 1);
    expect(rejections).toBeGreaterThan(1);
    expect(await follow(blocks.slice(listed), { cwd, env, adapt })).toBe(3);
    await until(() => printed.match(valid)?.length === 2);
  } finally {
    child.kill();
    await reading;
    await rm(cwd, { recursive: true, force: true });
  }
});
