import { dirname, join, relative, resolve } from 'node:path';

/** A page of the documentation: its path in the folder `docs`, such as `guides/curl.md`, and its file. */
export interface DocsPage {
  name: string;
  file: string;
}

const TITLE = '# Platen';
const SUMMARY = [
  '> Platen is a self-hosted PDF service with an HTTP API. It makes PDFs from HTML, Markdown, templates and',
  'office documents, and works on PDFs. Agents use it over MCP at /mcp.',
].join(' ');

/** The pages for contributors, which the index does not list. */
const INTERNAL = ['internals/', 'decisions/'];

/** The page whose table sorts the others by what a reader wants. */
const CONTENTS = 'README.md';

const LINK = /\]\(([^)\]#\s]{1,200})(?:#[^)\]\s]{0,200})?\)/g;

/**
 * Writes `/llms.txt`, the index of the documentation for language models (https://llmstxt.org): the table of
 * `docs/README.md` as sections, and all other pages as optional ones.
 * @param addressOf the path of the Markdown of a page
 */
export async function writeLlmsIndex(
  pages: readonly DocsPage[],
  addressOf: (name: string) => string,
): Promise<string> {
  const titles = new Map<string, string>();
  for (const { name, file } of pages) titles.set(name, titleOf(await Bun.file(file).text()) ?? name);
  const contents = pages.find(({ name }) => name === CONTENTS);
  const sections = contents ? readSections(await Bun.file(contents.file).text(), contents.file) : [];
  const listed = new Set([CONTENTS]);
  const entry = (name: string) => `- [${titles.get(name)}](${addressOf(name)})`;
  const blocks = sections.flatMap(({ heading, names }) => {
    const known = names.filter((name) => titles.has(name) && !listed.has(name));
    for (const name of known) listed.add(name);
    return known.length > 0 ? [`## ${heading}\n\n${known.map(entry).join('\n')}`] : [];
  });
  const others = [...titles.keys()].filter(
    (name) => !listed.has(name) && !INTERNAL.some((folder) => name.startsWith(folder)),
  );
  return [
    TITLE,
    SUMMARY,
    ...blocks,
    `## Reference\n\n- [All routes and fields (OpenAPI)](/openapi.json)`,
    ...(others.length > 0 ? [`## Optional\n\n${others.toSorted().map(entry).join('\n')}`] : []),
    '',
  ].join('\n\n');
}

function titleOf(markdown: string): string | undefined {
  return markdown.startsWith('# ') ? markdown.slice(2).split('\n', 1)[0]?.trim() : undefined;
}

/** Reads a table whose first cell is a heading and whose second has links, each page once. */
function readSections(markdown: string, file: string): { heading: string; names: string[] }[] {
  const folder = dirname(file);
  return markdown.split('\n').flatMap((line) => {
    const [, first = '', links = ''] = line.startsWith('|') ? line.split('|') : [];
    const targets = [...links.matchAll(LINK)].map(([, target = '']) => target);
    const names = targets.map((target) => relative(folder, resolve(folder, target)));
    const pages = names.map((name) => (name.endsWith('.md') ? name : join(name, CONTENTS)));
    const heading = first.trim();
    return pages.length === 0
      ? []
      : [{ heading: heading.slice(0, 1).toUpperCase() + heading.slice(1), names: [...new Set(pages)] }];
  });
}
