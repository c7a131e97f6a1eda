import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPythonClient } from '../../scripts/servers/client-generators.mjs';
import { ServerMissingError } from '../../scripts/servers/maven.mjs';
import { runCommand } from '../guides/guide.ts';
import { extendedService } from '../support/service/shared-service.ts';
import { allowedPort } from '../support/sites/allowed-ports.ts';
import { isThorough } from '../support/suite.ts';

// A cold cache is filled from PyPI.
setDefaultTimeout(300_000);

const service = extendedService();

const root = join(import.meta.dir, '..', '..');
const client = join(root, 'clients', 'python');
let project = '';
const python = () => join(project, 'venv', 'bin', 'python');

/** An interpreter with mypy, or `undefined` if it cannot be installed. */
const tools = findTools();

function findTools(): string | undefined {
  if (!isThorough) return undefined;
  try {
    return installPythonClient();
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    console.log(`skipped: the Python client: ${error.message}`);
    return undefined;
  }
}

/** Runs a command in the project, with the service and a new account. */
async function run(...command: string[]): Promise<string> {
  const account = await service().forNewAccount();
  const env = {
    ...(process.env as Record<string, string>),
    PLATEN_URL: account.url,
    PLATEN_API_KEY: account.key,
    RECEIVER_PORT: String(allowedPort()),
  };
  const { code, output, errors } = await runCommand(command, { cwd: project, env });
  expect({ command: command.join(' '), code, text: code === 0 ? '' : output + errors }).toEqual({
    command: command.join(' '),
    code: 0,
    text: '',
  });
  return output + errors;
}

/** An empty project, into which pip installs the wheel. */
beforeAll(async () => {
  if (!tools) return;
  project = await mkdtemp(join(tmpdir(), 'platen-client-'));
  await run(tools, '-m', 'venv', '--without-pip', 'venv');
  await run(tools, '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', '.', client);
  const [wheel = ''] = (await readdir(project)).filter((name) => name.endsWith('.whl'));
  expect(wheel).toBe(
    `platen_client-${(await Bun.file(join(root, 'package.json')).json()).version}-py3-none-any.whl`,
  );
  await run(tools, '-m', 'pip', '--python', python(), 'install', '--quiet', `./${wheel}`);
  await cp(join(client, 'tests'), join(project, 'tests'), { recursive: true });
}, 300_000);

afterAll(() => rm(project, { recursive: true, force: true }));

test.skipIf(!tools)('its suite passes', async () => {
  const output = await run(python(), '-m', 'unittest', 'discover', 'tests');
  expect(output).toMatch(/^OK$/m);
  expect(Number(/^Ran (\d+) tests/m.exec(output)?.[1])).toBeGreaterThan(14);
});

test.skipIf(!tools)(
  'mypy finds its types, rejects wrong fields, and accepts the examples of its page',
  async () => {
    await Bun.write(join(project, 'program.py'), PROGRAM);
    const page = await Bun.file(join(root, 'docs', 'clients', 'python.md')).text();
    const blocks = [...page.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    expect(blocks.length).toBeGreaterThan(6);
    await Bun.write(join(project, 'page.py'), blocks.join('\n'));
    const options = ['--strict', '--warn-unused-ignores', '--python-version', '3.10'];
    const output = await run(
      tools ?? '',
      '-m',
      'mypy',
      ...options,
      '--python-executable',
      python(),
      'program.py',
      'page.py',
      'tests',
    );
    expect(output).toContain('no issues found');
  },
);

const PROGRAM = `from platen import ApiError, Generation, Pdf, Platen, PlatenError, RenderOptions, Template, verify_webhook

options: RenderOptions = {"format": "A4", "margin": "20mm"}
wrong: RenderOptions = {"fromat": "A4"}  # type: ignore[typeddict-unknown-key]
platen = Platen(url="http://127.0.0.1:3000", api_key="plt_live_1")
pdf: Pdf = platen.generate(html="<p></p>", options=options, async_=True)
pages: int | None = pdf.pages
content: bytes = pdf.bytes()
platen.generate(htlm="<p></p>")  # type: ignore[call-arg]
generation: Generation = platen.generations.get(pdf.id)
template: Template = platen.templates.get("tmpl_1")
for each in platen.generations.list(reference="4711", status="failed"):
    each.id.upper()
platen.generations.list(refrence="4711")  # type: ignore[call-arg]
merged = platen.pdf("merge", pdfs=[pdf.id])
merged.save("merged.pdf")
platen.pdf("merge", pdf=pdf.id)  # type: ignore[call-overload]
event = verify_webhook(b"", {}, "whsec_")
if event.type == "batch.completed":
    event.data.batch_id.upper()


def read(error: ApiError) -> str:
    return error.code


def name(error: PlatenError) -> str:
    return error.details[0].path
`;
