import { Field } from '../../ui/controls.tsx';
import { textOf, type Tool } from '../operation.ts';

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

/** Makes several files from one. */
export const split: Tool = {
  slug: 'split',
  name: 'Split',
  text: 'Make a file from each page, or from each range of pages.',
  icon: 'split',
  group: 'Pages',
  order: 2,
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
