import { Field, Select } from '../../ui/controls.tsx';
import { filledIn, textOf, type Tool } from '../operation.ts';

/** Stamps text on the pages. */
export const stamp: Tool = {
  slug: 'stamp',
  name: 'Stamp',
  text: 'Print a short text at a place on the pages, such as “Paid”.',
  icon: 'pdfa',
  group: 'Content',
  order: 2,
  action: 'Stamp the pages',
  suffix: 'stamped',
  initial: { text: 'PAID', position: 'top-right', pages: '', color: '#b00020', size: '24' },
  request: (values, [file]) =>
    textOf(values, 'text') === ''
      ? 'Enter the text of the stamp.'
      : {
          path: '/v1/pdf/stamp',
          body: {
            pdf: file?.id,
            font_size: Number(textOf(values, 'size')) || 24,
            ...filledIn(values, ['text', 'position', 'pages', 'color']),
          },
        },
  form: (values, set) => (
    <>
      <Field label="Text" value={textOf(values, 'text')} onValue={(text) => set({ text })} />
      <div class="form-grid">
        <Select
          label="Position"
          value={textOf(values, 'position')}
          choices={[
            ['top-left', 'Top left'],
            ['top', 'Top centre'],
            ['top-right', 'Top right'],
            ['center', 'Centre'],
            ['bottom-left', 'Bottom left'],
            ['bottom', 'Bottom centre'],
            ['bottom-right', 'Bottom right'],
          ]}
          onValue={(position) => set({ position })}
        />
        <Field
          label="Pages (optional)"
          placeholder="1-3, 5"
          value={textOf(values, 'pages')}
          onValue={(pages) => set({ pages })}
        />
        <Field
          label="Size in points"
          type="number"
          value={textOf(values, 'size')}
          onValue={(size) => set({ size })}
        />
        <Field
          label="Colour"
          hint="Such as #b00020."
          value={textOf(values, 'color')}
          onValue={(color) => set({ color })}
        />
      </div>
    </>
  ),
};
