import { Field, Select } from '../ui/controls.tsx';
import { textOf, type Tool } from './operation.ts';

/** Parses page ranges such as `1-3, 5`. Returns undefined if the text has another form. */
function readRanges(text: string): number[][] | undefined {
  const ranges = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => /^(\d{1,6})(?:\s*-\s*(\d{1,6}))?$/.exec(part));
  if (ranges.some((range) => range === null)) return undefined;
  return ranges.map((range) => [Number(range?.[1]), ...(range?.[2] ? [Number(range[2])] : [])]);
}

/** Joins files into one. */
export const merge: Tool = {
  slug: 'merge',
  name: 'Merge',
  text: 'Join files into one, in the order that you choose.',
  icon: 'merge',
  action: 'Merge',
  suffix: 'merged',
  isMany: true,
  initial: {},
  request: (_, files) =>
    files.length < 2
      ? 'Add at least two files.'
      : { path: '/v1/pdf/merge', body: { pdfs: files.map(({ id }) => id) } },
};

/** Makes several files from one. */
export const split: Tool = {
  slug: 'split',
  name: 'Split',
  text: 'Make a file from each page, or from each range of pages.',
  icon: 'split',
  action: 'Split',
  initial: { ranges: '' },
  request: (values, [file]) => {
    const ranges = readRanges(textOf(values, 'ranges'));
    if (!ranges) return 'Enter pages, such as 1-3, 5.';
    return {
      path: '/v1/pdf/split',
      body: { pdf: file?.id, ...(ranges.length > 0 && { ranges }) },
      returnsJson: true,
    };
  },
  form: (values, set) => (
    <Field
      label="Pages of each file"
      hint="Enter ranges, such as 1-3, 4, 5-9. Leave the field empty for one file per page."
      value={textOf(values, 'ranges')}
      onValue={(ranges) => set({ ranges })}
    />
  ),
};

/** Rotates, reorders and removes pages. */
export const arrange: Tool = {
  slug: 'arrange',
  name: 'Rotate and reorder',
  text: 'Rotate pages, remove some, or put them in another order.',
  icon: 'rotate',
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

/** Prints page numbers. */
export const number: Tool = {
  slug: 'number',
  name: 'Number pages',
  text: 'Print a number on each page.',
  icon: 'number',
  action: 'Number the pages',
  suffix: 'numbered',
  initial: { format: '{{pageNumber}} / {{totalPages}}', position: 'bottom', start: '1' },
  request: (values, [file]) => ({
    path: '/v1/pdf/number',
    body: {
      pdf: file?.id,
      format: textOf(values, 'format'),
      position: values['position'],
      start: Number(textOf(values, 'start')) || 1,
    },
  }),
  form: (values, set) => (
    <>
      <Field label="Text" value={textOf(values, 'format')} onValue={(format) => set({ format })} />
      <div class="form-grid">
        <Select
          label="Position"
          value={textOf(values, 'position')}
          choices={[
            ['bottom', 'Bottom centre'],
            ['bottom-left', 'Bottom left'],
            ['bottom-right', 'Bottom right'],
            ['top', 'Top centre'],
            ['top-left', 'Top left'],
            ['top-right', 'Top right'],
          ]}
          onValue={(position) => set({ position })}
        />
        <Field
          label="First number"
          type="number"
          value={textOf(values, 'start')}
          onValue={(start) => set({ start })}
        />
      </div>
    </>
  ),
};
