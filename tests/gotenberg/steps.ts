import { isDeepStrictEqual } from 'node:util';
import { PNG } from 'pngjs';
import { until } from '../support/until.ts';
import type { Step } from './gherkin.ts';
import * as checks from './pdf-checks.ts';
import { environmentOf } from './source-folder.ts';
import type { Answer, World } from './world.ts';

const WEBHOOK_LIMIT_MS = 60_000;
const LOG_LIMIT_MS = 1500;

type Run = (
  world: World,
  values: string[],
  step: Required<Pick<Step, 'table' | 'doc'>>,
) => Promise<void> | void;

/** Thrown by a step whose check fails. */
class Difference extends Error {
  override name = 'Difference';
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Difference(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

function holds(condition: boolean, message: string): void {
  if (!condition) throw new Difference(message);
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > 6000 ? `${text.slice(0, 6000)}…` : text;
}

function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

function answerOf(world: World, kind: string): Pick<Answer, 'headers' | 'body'> {
  const found =
    kind === 'response'
      ? world.answer
      : kind === 'webhook request'
        ? world.server?.delivered
        : world.server?.seen;
  if (!found) throw new Difference(`there is no ${kind}`);
  return found;
}

/** Compares JSON: `"ignore"` stands for any value, and an object may have more properties. */
function matchJson(actual: unknown, expected: unknown, path = '$'): void {
  if (expected === 'ignore') return;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) throw new Difference(`${path}: expected an array, got ${show(actual)}`);
    same(`${path}.length`, actual.length, expected.length);
    for (const [index, value] of expected.entries()) matchJson(actual[index], value, `${path}[${index}]`);
  } else if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null)
      throw new Difference(`${path}: expected an object, got ${show(actual)}`);
    for (const [key, value] of Object.entries(expected))
      if (value !== 'ignore') matchJson((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
  } else same(path, actual, expected);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Difference(`expected JSON, got ${show(text)}`);
  }
}

function cookieOf(header: string | null, name: string): string {
  const pairs = (header ?? '').split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([key]) => key === name)?.[1] ?? '';
}

async function forEachPdf(world: World, check: (path: string) => Promise<void>): Promise<void> {
  for (const path of await world.pdfs()) await check(path);
}

/** Go's syntax of a pattern with flags, such as `(?s)`. */
function patternOf(text: string): RegExp {
  const [, flags = '', source = ''] = /^(?:\(\?([a-z]+)\))?([^]*)$/.exec(text) ?? [];
  return new RegExp(source, flags);
}

async function readPng(world: World, name: string): Promise<PNG> {
  return PNG.sync.read(Buffer.from(await Bun.file(await world.find(name)).bytes()));
}

/** The steps of Gotenberg's features. */
const STEPS: readonly (readonly [RegExp, Run])[] = [
  [
    /^I have a (?:default )?Gotenberg container/,
    () => {
      throw new Error('the runner starts services itself');
    },
  ],
  [/^I have a (?:webhook|static) server$/, (world) => world.startServer()],
  [
    /^I make a "(GET|HEAD)" request to Gotenberg at the "([^"]*)" endpoint(?: with the following header\(s\):)?$/,
    async (world, [method = '', path = ''], { table }) => {
      world.answer = await world.send(path, {
        method,
        headers: table.map(([a = '', b = '']) => [a, b] as [string, string]),
      });
    },
  ],
  [
    /^I make a "POST" request to Gotenberg at the "([^"]*)" endpoint with the following form data and header\(s\):$/,
    async (world, [path = ''], { table }) => {
      world.answer = await world.post(path, table);
      if (world.answer.status === 200) await world.store(world.answer);
    },
  ],
  [
    /^I make (\d+) concurrent "POST" requests to Gotenberg at the "([^"]*)" endpoint with the following form data and header\(s\):$/,
    async (world, [count, path = ''], { table }) => {
      world.answers = await Promise.all(Array.from({ length: Number(count) }, () => world.post(path, table)));
    },
  ],
  [
    /^I make (\d+) sequential "POST" requests to Gotenberg at the "([^"]*)" endpoint, probing "([^"]*)" after each, with the following form data and header\(s\):$/,
    async (world, [count, path = '', probe = ''], { table }) => {
      for (let request = 0; request < Number(count); request++) {
        same('the status', (await world.post(path, table)).status, 200);
        world.answers.push(await world.send(probe, { method: 'GET' }));
      }
    },
  ],
  [
    /^I wait for the asynchronous request to the webhook$/,
    async (world) => {
      await until(() => world.server?.delivered !== undefined, WEBHOOK_LIMIT_MS);
    },
  ],
  [
    /^the Gotenberg container (should|should NOT) log the following entries:$/,
    async (world, [should], { table }) => {
      const read = () => world.target?.output()?.slice(world.outputStart);
      if (read() === undefined) throw new Difference('the output of the service is not known');
      for (const [entry = ''] of table) {
        const isLogged = () => read()?.includes(entry) ?? false;
        const found = await until(isLogged, LOG_LIMIT_MS).then(
          () => true,
          () => false,
        );
        same(`the log entry ${entry}`, found, should === 'should');
      }
    },
  ],
  [
    /^the response status code should be (\d+)$/,
    (world, [status]) => {
      const { answer } = world;
      const type = answer?.headers.get('content-type') ?? '';
      const isText = answer !== undefined && /^text|json/.test(type);
      same(`the status${isText ? ` (${show(textOf(answer.body))})` : ''}`, answer?.status, Number(status));
    },
  ],
  [
    /^all (?:concurrent|probe) response status codes should be (\d+)$/,
    (world, [status]) => {
      same('the statuses', [...new Set(world.answers.map((answer) => answer.status))], [Number(status)]);
    },
  ],
  [
    /^all concurrent responses should have (\d+) PDF\(s\)$/,
    async (world, [count]) => {
      for (const answer of world.answers) {
        await world.store(answer);
        same('the number of PDFs', (await world.pdfs()).length, Number(count));
      }
    },
  ],
  [
    /^the (response|webhook request|file request|server request) header "([^"]*)" should be "([^"]*)"$/,
    (world, [kind = '', name = '', value]) => {
      same(`the header ${name}`, answerOf(world, kind).headers.get(name) ?? '', value);
    },
  ],
  [
    /^the (webhook request|file request|server request) cookie "([^"]*)" should be "([^"]*)"$/,
    (world, [kind = '', name = '', value]) => {
      same(`the cookie ${name}`, cookieOf(answerOf(world, kind).headers.get('cookie'), name), value);
    },
  ],
  [
    /^the (response|webhook request) body should (match|contain) string:$/,
    (world, [kind = '', how], { doc }) => {
      const expected = doc.replaceAll('{version}', world.options.version);
      const actual = textOf(answerOf(world, kind).body);
      if (how === 'match') same('the body', actual, expected);
      else holds(actual.includes(expected), `the body lacks ${show(expected)}: ${show(actual)}`);
    },
  ],
  [
    /^the (response|webhook request) body should match JSON:$/,
    (world, [kind = ''], { doc }) => {
      matchJson(
        parse(textOf(answerOf(world, kind).body)),
        parse(doc.replaceAll('{version}', world.options.version)),
      );
    },
  ],
  [
    /^the webhook event should match JSON:$/,
    async (world, _values, { doc }) => {
      await until(() => (world.server?.events.length ?? 0) > 0, WEBHOOK_LIMIT_MS);
      matchJson(world.server?.events.at(-1), parse(doc));
    },
  ],
  [
    /^there should be (\d+) PDF\(s\) in the (response|webhook request)$/,
    async (world, [count, kind = '']) => {
      if (kind !== 'response') await world.store(answerOf(world, kind));
      same('the number of PDFs', (await world.pdfs()).length, Number(count));
    },
  ],
  [
    /^there should be the following file\(s\) in the (response|webhook request):$/,
    async (world, [kind = ''], { table }) => {
      // Gotenberg's scenarios also call a response so.
      if (kind !== 'response' && world.server?.delivered) await world.store(world.server.delivered);
      const names = (await world.fileNames()).map((name) => name.toLowerCase());
      for (const [name = ''] of table)
        if (name.startsWith('*_')) await world.find(name);
        else holds(names.includes(name.toLowerCase()), `the file ${name} is not among ${show(names)}`);
    },
  ],
  [
    /^the (?:response|webhook request) PDF\(s\) should be valid "([^"]*)" with a tolerance of (\d+) failed rule\(s\)$/,
    (world, [standard = '', tolerance]) =>
      forEachPdf(world, async (path) => {
        const failed = await checks.failedRules(path, standard);
        holds(failed <= Number(tolerance), `${failed} rules of ${standard} fail, more than ${tolerance}`);
      }),
  ],
  [
    /^the (?:response|webhook request) PDF\(s\) (should|should NOT) be flatten$/,
    (world, [should]) =>
      forEachPdf(world, async (path) => {
        same('the PDF is flat', (await checks.annotationCount(path)) === 0, should === 'should');
      }),
  ],
  [
    /^the (?:response|webhook request) PDF\(s\) (should|should NOT) be encrypted$/,
    (world, [should]) =>
      forEachPdf(world, async (path) =>
        same('the PDF is encrypted', await checks.needsPassword(path), should === 'should'),
      ),
  ],
  [
    /^the (?:response|webhook request) PDF\(s\) (should|should NOT) have the "([^"]*)" file embedded$/,
    (world, [should, name = '']) =>
      forEachPdf(world, async (path) => {
        const names = await checks.embeddedFiles(path);
        same(`the file ${name} is among ${show(names)}`, names.includes(name), should === 'should');
      }),
  ],
  [
    /^the response PDF\(s\) should have the "([^"]*)" file embedded with relationship "([^"]*)"$/,
    (world, [name = '', relationship = '']) =>
      forEachPdf(world, async (path) =>
        holds(
          await checks.hasRelationship(path, name, relationship),
          `${name} has not the relationship ${relationship}`,
        ),
      ),
  ],
  [
    /^the response PDF\(s\) should declare Factur-X XMP with conformance level "([^"]*)"$/,
    (world, [level = '']) =>
      forEachPdf(world, async (path) => {
        const metadata = await checks.metadataText(path);
        holds(
          new RegExp(`ConformanceLevel(?:>|=")${level}[<"]`).test(metadata),
          `the XMP does not declare ${level}`,
        );
      }),
  ],
  [
    /^the "([^"]*)" PDF should have (\d+) page\(s\)$/,
    async (world, [name = '', count]) => {
      same(`the pages of ${name}`, await checks.pageCount(await world.find(name)), Number(count));
    },
  ],
  [
    /^the "([^"]*)" PDF (should|should NOT) be set to landscape orientation$/,
    async (world, [name = '', should]) => {
      const { width, height } = await checks.pageSize(await world.find(name));
      same(`${name} (${width} x ${height}) is landscape`, width > height, should === 'should');
    },
  ],
  [
    /^the "([^"]*)" PDF (should|should NOT) have the following content at page (\d+):$/,
    async (world, [name = '', should, page], { doc }) => {
      const text = await checks.pageText(await world.find(name), Number(page));
      same(`${show(doc)} is in ${show(text)}`, text.includes(doc), should === 'should');
    },
  ],
  [
    /^the "([^"]*)" PDF (should|should NOT) have content matching "(.*)" at page (\d+)$/,
    async (world, [name = '', should, pattern = '', page]) => {
      const text = await checks.pageText(await world.find(name), Number(page));
      same(`${pattern} matches ${show(text)}`, patternOf(pattern).test(text), should === 'should');
    },
  ],
  [
    /^the "([^"]*)" PDF should have (\d+) image\(s\)$/,
    async (world, [name = '', count]) => {
      same(`the images of ${name}`, await checks.imageCount(await world.find(name)), Number(count));
    },
  ],
  [
    /^the "([^"]*)" PDF (should|should NOT) have a document outline$/,
    async (world, [name = '', should]) => {
      same(`${name} has an outline`, await checks.hasOutline(await world.find(name)), should === 'should');
    },
  ],
  [
    /^the "([^"]*)" file size should be (less|greater) than (\d+) KB$/,
    async (world, [name = '', how, limit]) => {
      const { size } = Bun.file(await world.find(name));
      const kilobytes = size / 1024;
      holds(
        how === 'less' ? kilobytes < Number(limit) : kilobytes > Number(limit),
        `${name} has ${Math.round(kilobytes)} KB`,
      );
    },
  ],
  [
    /^the "([^"]*)" image should be (\d+)x(\d+) pixels$/,
    async (world, [name = '', width, height]) => {
      const image = await readPng(world, name);
      same(`the size of ${name}`, [image.width, image.height], [Number(width), Number(height)]);
    },
  ],
  [
    /^the "([^"]*)" image pixel at (\d+),(\d+) should be "(#[0-9a-f]{6})"$/,
    async (world, [name = '', x, y, color]) => {
      const { width, data } = await readPng(world, name);
      const start = 4 * (Number(y) * width + Number(x));
      same(`the pixel of ${name}`, `#${data.subarray(start, start + 3).toString('hex')}`, color);
    },
  ],
];

/** Runs a step. @throws {Error} that tells the difference */
export async function runStep(world: World, step: Step): Promise<void> {
  const environment = environmentOf(step);
  if (environment) return world.start(environment);
  for (const [pattern, run] of STEPS) {
    const match = pattern.exec(step.text);
    if (match) return run(world, match.slice(1), { table: step.table ?? [], doc: step.doc ?? '' });
  }
  throw new Error(`no such step: ${step.text}`);
}
