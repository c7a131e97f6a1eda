import { expect, setDefaultTimeout, test } from 'bun:test';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapi from '../../docs/openapi.json' with { type: 'json' };
import { VERSIONS } from '../../scripts/servers/client-generators.mjs';
import { ServerMissingError } from '../../scripts/servers/maven.mjs';
import { abbreviate, runCommand } from '../guides/guide.ts';
import { pdfText, requireTools } from '../support/pdf/pdf.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { isThorough } from '../support/suite.ts';
import { generators, type Commands, type Generator } from './generators.ts';

// A cold cache is filled from four registries.
setDefaultTimeout(900_000);

const service = sharedService();

const clientsFolder = join(import.meta.dir, '..', '..', 'docs', 'clients');

const page = await Bun.file(join(clientsFolder, 'README.md')).text();
/** The output of every program. */
const [, shown = ''] = /^```\n([^`]*)^```$/m.exec(page) ?? [];

/** Compilers and generators find their caches and registries by environment variables. */
const toolEnv = process.env as Record<string, string>;

test('docs/clients/README.md names the tested versions', () => {
  const { heyApi, pythonClient, oapiCodegen, oapiRuntime, openapiGenerator, typescript } = VERSIONS;
  const rows = page.matchAll(/^\| \[([\w-]+)\]\([^)]+\) +\| \w+ +\| ([\d.]+) /gm);
  expect(Object.fromEntries(rows.map(([, name, version]) => [name, version]))).toEqual({
    'hey-api': heyApi,
    'openapi-python-client': pythonClient,
    'oapi-codegen': oapiCodegen.slice(1),
    'openapi-generator': openapiGenerator,
  });
  expect(page).toContain(`-p typescript@${typescript} -p @hey-api/openapi-ts@${heyApi} `);
  expect(page).toContain(`/runtime@${oapiRuntime}\``);
  expect(page).toContain(`openapi-python-client==${pythonClient}\``);
  expect(page).toContain(`/oapi-codegen@${oapiCodegen} `);
  expect(page).toContain(`openapi-generator-cli-${openapiGenerator}.jar `);
});

/** Installs a generator. Prints the reason if it cannot be installed. */
function commandsOf(generator: Generator): Commands | undefined {
  if (!isThorough) return undefined;
  try {
    return generator.install();
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    console.log(`skipped: the client of ${generator.name}: ${error.message}`);
    return undefined;
  }
}

for (const generator of generators) {
  const commands = commandsOf(generator);
  test.skipIf(!commands)(
    `the client of ${generator.name} compiles, makes documents and explains errors`,
    async () => {
      const { files = {}, generate = [], check = [], run = [] } = commands ?? {};
      await using folder = await createFolder(generator.program, files);
      const account = await service().forNewAccount();
      const message = openapi.webhooks['generation.completed'].post.requestBody.content['application/json'];
      const env = {
        PLATEN_URL: account.url,
        PLATEN_API_KEY: account.key,
        WEBHOOK_MESSAGE: JSON.stringify(message.example),
      };
      for (const command of [generate, ...check]) {
        const { code, output, errors } = await runCommand(command, { cwd: folder.path, env: toolEnv });
        expect({ command: command.join(' '), code, text: code === 0 ? '' : output + errors }).toEqual({
          command: command.join(' '),
          code: 0,
          text: '',
        });
      }
      const { output, errors } = await runCommand(run, { cwd: folder.path, env });
      const expected = shown.replace(generator.omitted ?? '', '');
      expect({ output: abbreviate(output), errors }).toEqual({ output: expected, errors: '' });

      const { body } = await account.get('/v1/generations');
      expect(body.data).toHaveLength(1);
      const [id] = /gen_\w+/.exec(output) ?? [];
      expect(body.data[0].id).toBe(id);
      if (!requireTools()) return;
      const { body: generation } = await account.get(`/v1/generations/${id}`);
      expect(await pdfText(await account.download(generation.url))).toContain('Hello Ada');
    },
  );
}

/** Creates a temporary folder with a program and other files. */
async function createFolder(program: string, files: Record<string, string>) {
  const path = await mkdtemp(join(tmpdir(), 'platen-client-'));
  await cp(join(clientsFolder, program), join(path, program));
  for (const [name, text] of Object.entries(files)) await Bun.write(join(path, name), text);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
