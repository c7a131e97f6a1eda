import { expect, test } from 'bun:test';
import { TEMPLATE_HELPERS } from '@platen/templates';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sharedService } from '../support/service/shared-service.ts';

const service = sharedService();
const root = join(import.meta.dir, '..', '..');

interface Page {
  status: number;
  type: string;
  text: string;
}

async function read(path: string): Promise<Page> {
  const response = await fetch(service().url + path);
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}

/** Lists the links and pictures of an HTML page that lead to this service. Markdown has HTML as examples. */
function linksOf({ text, type }: Page, path: string): string[] {
  if (!type.startsWith('text/html')) return [];
  const targets = [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
  return targets
    .map((target) => new URL(target, `http://service${path}`))
    .filter(({ origin }) => origin === 'http://service')
    .map(({ pathname, hash }) => pathname + hash);
}

test('every link of the served guides leads to a page, a heading or a file', async () => {
  const document = (await service().get('/openapi.json')).body;
  const start: string[] = document.tags.map((tag: { externalDocs: { url: string } }) => tag.externalDocs.url);
  const pages = new Map<string, Page>();
  const queue = ['/docs/guides', ...start];
  const broken: string[] = [];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (pages.has(path)) continue;
    const page = await read(path);
    pages.set(path, page);
    if (page.status !== 200) broken.push(path);
    if (page.type.startsWith('text/html') && path !== '/docs')
      queue.push(...linksOf(page, path).map((link) => link.split('#')[0] ?? ''));
  }
  expect(broken).toEqual([]);
  for (const path of ['/docs/guides/python.md', '/docs/guides/examples/hello.py', '/docs/errors.md'])
    expect([...pages.keys()]).toContain(path);
  expect([...pages.keys()].filter((path) => path.endsWith('.png')).length).toBeGreaterThan(10);

  const anchors = [...pages].flatMap(([path, page]) =>
    linksOf(page, path).filter((link) => link.includes('#')),
  );
  expect(anchors.length).toBeGreaterThan(0);
  const missing = anchors.filter((link) => {
    const [path = '', id] = link.split('#');
    return !pages.get(path)?.text.includes(` id="${id}"`);
  });
  expect([...new Set(missing)]).toEqual([]);
});

test('a guide is a page without scripts, and a program is plain text', async () => {
  const guide = await fetch(`${service().url}/docs/guides/python.md`);
  expect(guide.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(guide.headers.get('content-security-policy')).toContain("default-src 'none'");
  const text = await guide.text();
  expect(text).toContain('<title>PDFs from Python · Platen</title>');
  expect(text).toContain('href="/docs/guides/examples/hello.py"');
  expect(text).not.toContain('<script');
  const program = await fetch(`${service().url}/docs/guides/examples/hello.py`);
  expect(program.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await program.text()).toBe(readFileSync(join(root, 'docs/guides/examples/hello.py'), 'utf8'));
});

test('every page is also Markdown, and /llms.txt lists the pages for readers', async () => {
  const index = await read('/llms.txt');
  expect([index.status, index.type]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(index.text).toStartWith('# Platen\n\n> ');
  expect(index.text).toContain('\n## Make documents\n');
  const links = [...index.text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => new URL(link));
  const names = [...new Bun.Glob('**/*.md').scanSync(join(root, 'docs'))];
  const listed = names.filter((name) => !/^(?:README\.md$|internals\/|decisions\/)/.test(name));
  const paths = links.map(({ pathname }) => pathname);
  expect(paths.toSorted()).toEqual(
    ['/openapi.json', ...listed.map((name) => `/docs/markdown/${name}`)].toSorted(),
  );
  expect(links.every(({ origin }) => origin === service().url)).toBe(true);
  for (const name of names) {
    const page = await read(`/docs/markdown/${name}`);
    expect([name, page.type]).toEqual([name, 'text/markdown; charset=utf-8']);
    expect(page.text).toBe(readFileSync(join(root, 'docs', name), 'utf8'));
  }
  const accepting = await fetch(`${service().url}/docs/errors.md`, { headers: { accept: 'text/markdown' } });
  expect(accepting.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(accepting.headers.get('vary')).toBe('Accept');
  expect((await read('/docs/errors.md')).text).toContain('href="/docs/markdown/errors.md"');
});

test.each([
  '/docs/markdown/openapi.json',
  '/docs/markdown/..%2fpackage.json',
  '/docs/openapi.json',
  '/docs/guides/none.md',
  '/docs/../package.json',
  '/docs/%2e%2e/package.json',
  '/docs/guides/..%2f..%2f..%2fpackage.json',
  '/docs/guides/constructor',
])('%s is not found', async (path) => {
  const { status, body } = await service().get(path, null);
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
});

test('every relative link in the Markdown files of the repository leads to a file', () => {
  const files = ['*.md', 'docs/**/*.md', 'plugins/*/*.md', 'packages/*/*.md'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(root),
  ]);
  expect(files.length).toBeGreaterThan(50);
  const broken = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    const links = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    return links
      .filter((link) => !existsSync(join(root, dirname(file), link)))
      .map((link) => `${file}: ${link}`);
  });
  expect(broken).toEqual([]);
});

test('every picture of the studio is shown on a page, and there are at most ten', () => {
  const pages = ['README.md', ...new Bun.Glob('docs/**/*.md').scanSync(root)];
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  const pictures = readdirSync(join(root, 'docs/studio'));
  expect(pictures.filter((name) => !text.includes(`studio/${name}`))).toEqual([]);
  expect(pictures.length).toBeLessThanOrEqual(10);
});

test('the README links to the guides and has at most 100 lines', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  expect(text).toContain('(docs/guides/README.md)');
  expect(text.split('\n').length).toBeLessThanOrEqual(101);
  expect(statSync(join(root, 'docs/guides/README.md')).isFile()).toBe(true);
});

test('the README states the numbers of helpers and starters', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const starters = readdirSync(join(root, 'starters')).filter((name) => name.endsWith('.json'));
  expect(text).toContain(`[${TEMPLATE_HELPERS.size} helpers](docs/templates.md)`);
  expect(text).toContain(`[${starters.length} starters](docs/starters/README.md)`);
});
