import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLlmsIndex } from './llms-index.ts';
import { guidePath, type Tag } from './openapi.ts';

const DOCS_FOLDER = fileURLToPath(new URL('../../docs', import.meta.url));
/** The file that is shown at the path of its folder. */
const INDEX = 'README.md';
const STYLE_PATH = '/docs/guides.css';

/** The types of the files besides Markdown. Programs are shown, not downloaded. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  ...Object.fromEntries(
    ['.cs', '.go', '.mjs', '.php', '.py', '.sh', '.ts'].map((extension) => [
      extension,
      'text/plain; charset=utf-8',
    ]),
  ),
};

/** A code of errors in a table, which `doc_url` of an error names. */
const CODE_CELL = /<td><code>([A-Z][A-Z_]+)<\/code><\/td>/g;

const STYLE = `:root { color-scheme: light dark; }
body { max-width: 880px; margin: 0 auto; padding: 16px; font: 16px/1.5 system-ui, sans-serif; }
nav { margin-bottom: 24px; }
nav a { margin-right: 16px; }
pre { overflow-x: auto; padding: 12px; font-size: 14px; }
pre, code { background: rgb(128 128 128 / 15%); border-radius: 4px; }
code { padding: 1px 4px; }
pre code { padding: 0; background: none; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid rgb(128 128 128 / 40%); text-align: left; vertical-align: top; }
img { max-width: 100%; }
`;

/** The folder in which each page of `/docs` is Markdown, so that its relative links lead to Markdown. */
const MARKDOWN_PATH = '/docs/markdown/';
const MARKDOWN_TYPE = 'text/markdown';

/** The pages, pictures and programs of `docs` and the guides of the tags. */
export interface Guides {
  /**
   * Returns the page or file of a path below `/docs/`; `undefined` for an unknown path. A page is HTML, or
   * Markdown below `/docs/markdown/` and for a request that accepts it.
   */
  open(path: string, accept?: string | null): Promise<Response | undefined>;
  /** Returns the index of the pages for language models. Its links begin with `origin`. */
  openIndex(origin: string): Promise<Response>;
}

/**
 * Lists the files of `docs`, which are served at the same path, and the guides of the tags. The folder may be
 * missing: an installation can leave it out.
 */
export function createGuides(tags: readonly Tag[]): Guides {
  const files = new Map<string, string>();
  const paths = new Map<string, string>();
  const add = (path: string, file: string) => {
    files.set(path, file);
    paths.set(file, path);
  };
  for (const tag of tags) {
    const path = guidePath(tag);
    if (path && tag.guide) add(path, fileURLToPath(tag.guide));
  }
  // A page of this folder that is also the guide of a tag is linked at its own path.
  for (const name of listDocs()) {
    const file = join(DOCS_FOLDER, name);
    add(`/docs/${name}`, file);
    if (name.endsWith(`/${INDEX}`)) add(`/docs/${dirname(name)}`, file);
  }

  /**
   * Converts a relative link to the path of its target. Returns `undefined` for a target that is not served,
   * such as a source file.
   */
  function toPath(link: string, file: string): string | undefined {
    if (/^(?:[a-z]+:|[#/])/.test(link)) return link;
    const [name = '', fragment] = link.split('#');
    const target = resolve(dirname(file), name);
    const path = paths.get(target) ?? paths.get(join(target, INDEX));
    return path === undefined || fragment === undefined ? path : `${path}#${fragment}`;
  }

  async function toPage(file: string): Promise<string> {
    const markdown = await Bun.file(file).text();
    const [, title = 'Platen'] = /^# (.*)/.exec(markdown) ?? [];
    const html = Bun.markdown
      .html(markdown, { headings: { ids: true } })
      .replaceAll(/ (href|src)="([^"]*)"/g, (_, attribute: string, link: string) => {
        const path = toPath(link, file);
        return path === undefined ? '' : ` ${attribute}="${path}"`;
      })
      .replaceAll(CODE_CELL, '<td id="$1"><code>$1</code></td>');
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${Bun.escapeHTML(title)} · Platen</title>
    <link rel="stylesheet" href="${STYLE_PATH}">
    <link rel="alternate" type="${MARKDOWN_TYPE}" href="${MARKDOWN_PATH}${paths.get(file)?.slice('/docs/'.length)}">
  </head>
  <body>
    <nav><a href="/docs">API</a> <a href="/docs/guides">Guides</a></nav>
    <main>
${html}
    </main>
  </body>
</html>
`;
  }

  /** Opens a page as Markdown. Pictures and programs stay as they are. */
  function openMarkdown(path: string): Response | undefined {
    const file = files.get(path);
    if (file === undefined) return undefined;
    const type = MEDIA_TYPES[extname(file)] ?? `${MARKDOWN_TYPE}; charset=utf-8`;
    return new Response(Bun.file(file), { headers: { 'content-type': type } });
  }

  /** With paths as links. The files never change while the service runs. */
  let index: Promise<string> | undefined;

  return {
    async openIndex(origin) {
      index ??= writeLlmsIndex(
        listDocs()
          .filter((name) => name.endsWith('.md'))
          .map((name) => ({ name, file: join(DOCS_FOLDER, name) })),
        (name) => MARKDOWN_PATH + name,
      );
      const text = (await index).replaceAll('](/', () => `](${origin}/`);
      return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8', vary: 'Host' } });
    },
    async open(path, accept) {
      if (path.startsWith(MARKDOWN_PATH)) return openMarkdown(`/docs/${path.slice(MARKDOWN_PATH.length)}`);
      if (accept?.includes(MARKDOWN_TYPE)) return openMarkdown(path);
      if (path === STYLE_PATH)
        return new Response(STYLE, { headers: { 'content-type': 'text/css; charset=utf-8' } });
      const file = files.get(path);
      if (file === undefined) return undefined;
      const mediaType = MEDIA_TYPES[extname(file)];
      return mediaType === undefined
        ? new Response(await toPage(file), { headers: { 'content-type': 'text/html; charset=utf-8' } })
        : new Response(Bun.file(file), { headers: { 'content-type': mediaType } });
    },
  };
}

function listDocs(): string[] {
  if (!existsSync(DOCS_FOLDER)) return [];
  return readdirSync(DOCS_FOLDER, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') || extname(name) in MEDIA_TYPES,
  );
}
