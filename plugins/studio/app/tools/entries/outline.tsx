import { TextArea } from '../../ui/controls.tsx';
import { textOf, type Tool } from '../operation.ts';
import { JsonReport } from '../report.tsx';

/** Reads or writes the bookmarks. */
export const outline: Tool = {
  slug: 'outline',
  name: 'Bookmarks',
  text: 'Show the bookmarks of a file, or write new ones.',
  icon: 'book',
  group: 'Properties',
  order: 3,
  action: 'Run',
  suffix: 'bookmarks',
  initial: { lines: '' },
  request: (values, [file]) => {
    const lines = textOf(values, 'lines')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    if (lines.length === 0) return { path: '/v1/pdf/outline', body: { pdf: file?.id }, returnsJson: true };
    const items = lines.map((line) => {
      const [page = '', ...title] = line.split(' ');
      return { title: title.join(' ').trim(), page: Number(page) };
    });
    const wrong = items.findIndex(({ title, page }) => title === '' || !Number.isInteger(page));
    if (wrong !== -1) return `Begin “${lines[wrong]}” with the number of its page, and add a title.`;
    return { path: '/v1/pdf/outline', body: { pdf: file?.id, set: items } };
  },
  form: (values, set) => (
    <TextArea
      label="New bookmarks (optional)"
      hint="One bookmark on each line: the page and the title. They replace the bookmarks of the file. Without lines, the bookmarks of the file are shown."
      rows={5}
      placeholder={'1 Summary\n4 Prices'}
      value={String(values['lines'])}
      onValue={(lines) => set({ lines })}
    />
  ),
  report: (result) => <JsonReport result={result} />,
};
