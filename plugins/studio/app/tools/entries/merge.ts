import type { Tool } from '../operation.ts';

/** Joins files into one. */
export const merge: Tool = {
  slug: 'merge',
  name: 'Merge',
  text: 'Join files into one, in the order that you choose.',
  icon: 'merge',
  group: 'Pages',
  order: 1,
  action: 'Merge',
  suffix: 'merged',
  isMany: true,
  initial: {},
  request: (_, files) =>
    files.length < 2
      ? 'Add at least two files.'
      : { path: '/v1/pdf/merge', body: { pdfs: files.map(({ id }) => id) } },
};
