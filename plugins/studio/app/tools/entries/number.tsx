import { Field, Select } from '../../ui/controls.tsx';
import { textOf, type Tool } from '../operation.ts';

/** Prints page numbers. */
export const number: Tool = {
  slug: 'number',
  name: 'Number pages',
  text: 'Print a number on each page.',
  icon: 'number',
  group: 'Pages',
  order: 4,
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
