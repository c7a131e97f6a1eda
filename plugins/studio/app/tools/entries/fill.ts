import type { ToolEntry } from '../operation.ts';

/** The entry of the view that fills in a form. Unlike other tools, it shows the fields of the file. */
export const fill: ToolEntry = {
  slug: 'fill',
  name: 'Fill a form',
  text: 'Fill in the fields of a form, and flatten it if you like.',
  icon: 'form',
  group: 'Forms',
  order: 1,
  isOffered: ({ plugins }) => plugins.includes('forms'),
  routes: ['/v1/pdf/forms/fill', '/v1/pdf/forms/list-fields'],
};
