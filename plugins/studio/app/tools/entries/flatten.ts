import type { Tool } from '../operation.ts';

/** Turns form fields and comments into fixed content. */
export const flatten: Tool = {
  slug: 'flatten',
  name: 'Flatten',
  text: 'Turn form fields and comments into fixed content.',
  icon: 'flatten',
  group: 'Content',
  order: 4,
  action: 'Flatten',
  suffix: 'flattened',
  initial: {},
  request: (_, [file]) => ({ path: '/v1/pdf/flatten', body: { pdf: file?.id } }),
};
