import { Field, Select } from '../../ui/controls.tsx';
import { filledIn, textOf, type Tool } from '../operation.ts';

/** Draws pages as images, which are downloaded as a zip archive. */
export const images: Tool = {
  slug: 'images',
  name: 'Pages as images',
  text: 'Draw pages as PNG, JPEG or WebP images.',
  icon: 'assets',
  group: 'Pages',
  order: 5,
  action: 'Draw the images',
  hidesPages: 'The images are in a zip archive.',
  initial: { pages: '', type: 'png', dpi: '100' },
  request: (values, [file]) => ({
    path: '/v1/pdf/images',
    body: {
      pdf: file?.id,
      type: values['type'],
      dpi: Number(values['dpi']),
      ...filledIn(values, ['pages']),
    },
  }),
  form: (values, set) => (
    <>
      <Field
        label="Pages (optional)"
        placeholder="1-3, 5"
        value={textOf(values, 'pages')}
        onValue={(pages) => set({ pages })}
      />
      <div class="form-grid">
        <Select
          label="Format"
          value={textOf(values, 'type')}
          choices={[
            ['png', 'PNG'],
            ['jpeg', 'JPEG'],
            ['webp', 'WebP'],
          ]}
          onValue={(type) => set({ type })}
        />
        <Select
          label="Resolution"
          value={textOf(values, 'dpi')}
          choices={[
            ['72', '72 dpi'],
            ['100', '100 dpi'],
            ['150', '150 dpi'],
            ['300', '300 dpi'],
          ]}
          onValue={(dpi) => set({ dpi })}
        />
      </div>
    </>
  ),
};
