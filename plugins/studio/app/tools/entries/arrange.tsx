import { Field, Select } from '../../ui/controls.tsx';
import { textOf, type Tool } from '../operation.ts';

/** Rotates, reorders and removes pages. */
export const arrange: Tool = {
  slug: 'arrange',
  name: 'Rotate and reorder',
  text: 'Rotate pages, remove some, or put them in another order.',
  icon: 'rotate',
  group: 'Pages',
  order: 3,
  action: 'Arrange the pages',
  suffix: 'arranged',
  initial: { pages: '1-', angle: '90' },
  request: (values, [file]) => {
    const parts = textOf(values, 'pages')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    if (parts.length === 0) return 'Enter pages, such as 1-3, 5.';
    const rotation = values['angle'] === '0' ? '' : `r${textOf(values, 'angle')}`;
    const pages = parts.map((part) => (part.includes('r') ? part : part + rotation)).join(', ');
    return { path: '/v1/pdf/pages', body: { pdf: file?.id, pages } };
  },
  form: (values, set) => (
    <>
      <Field
        label="Pages, in their new order"
        hint="1- means all pages, 10-8 means three pages in reverse order, and 5r90 rotates page 5."
        value={textOf(values, 'pages')}
        onValue={(pages) => set({ pages })}
      />
      <Select
        label="Rotation"
        value={textOf(values, 'angle')}
        choices={[
          ['0', 'None'],
          ['90', '90° clockwise'],
          ['180', '180°'],
          ['270', '90° counterclockwise'],
        ]}
        onValue={(angle) => set({ angle })}
      />
    </>
  ),
};
