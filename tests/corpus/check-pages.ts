import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { compare, hasLabels, taggedText, type Inspected } from './compare.ts';

/**
 * Checks `pages` on one file: all pages in reversed order, and all pages with the first page again at the
 * end.
 */
export async function checkPages(sandbox: Sandbox, { pdf, images, census }: Inspected): Promise<string[]> {
  const { arrange } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/pages/task.ts')>(
    new URL('../../plugins/pdf-tools/operations/pages/task.ts', import.meta.url),
  );
  const last = images.length;
  const run = (pages: string) => arrange({ pdf: { raw: pdf }, pages, deleted: undefined });
  const [reversed, repeated] = await Promise.all([run(`${last}-1`), run('1-, 1')]);
  if (!reversed.ok) return [reversed.message];
  if (!repeated.ok) return [repeated.message];
  const labels = hasLabels(census) ? census.labels : undefined;
  // In a longer file, no other program tells which tags belong to a page.
  const own = last === 1 ? await taggedText(pdf) : '';
  const tagsDiffer = own !== '' && (await taggedText(repeated.value.pdf)) !== `${own}\n${own}`;
  return [
    ...(tagsDiffer ? ['the tagged text of a repeated page differs'] : []),
    ...(await compare(reversed.value.pdf, images.toReversed(), {
      links: census.links,
      bookmarks: census.bookmarks,
      fields: census.fields,
      ...(labels && { labels: labels.toReversed() }),
    })),
    ...(await compare(repeated.value.pdf, [...images, ...images.slice(0, 1)], {
      bookmarks: census.bookmarks,
      ...(labels && { labels: [...labels, ...labels.slice(0, 1)] }),
    })),
  ];
}
