import { CodeBlock } from '../../ui/code-block.tsx';
import { Field, Select } from '../../ui/controls.tsx';
import { filledIn, textOf, type Tool } from '../operation.ts';

/** Extracts the text of a file. */
export const text: Tool = {
  slug: 'text',
  name: 'Extract text',
  text: 'Read the text of all pages, plain or as Markdown.',
  icon: 'template',
  group: 'Content',
  order: 3,
  action: 'Extract the text',
  initial: { pages: '', format: 'plain' },
  request: (values, [file]) => ({
    path: '/v1/pdf/text',
    body: { pdf: file?.id, format: values['format'], ...filledIn(values, ['pages']) },
    returnsJson: true,
  }),
  form: (values, set) => (
    <div class="form-grid">
      <Field
        label="Pages (optional)"
        placeholder="1-3, 5"
        value={textOf(values, 'pages')}
        onValue={(pages) => set({ pages })}
      />
      <Select
        label="Format"
        value={textOf(values, 'format')}
        choices={[
          ['plain', 'Plain text'],
          ['markdown', 'Markdown'],
        ]}
        onValue={(format) => set({ format })}
      />
    </div>
  ),
  report: (result) => {
    const { pages } = result as { pages: { text: string }[] };
    return <CodeBlock label="Text of the file" code={pages.map((page) => page.text).join('\n\n')} />;
  },
};
