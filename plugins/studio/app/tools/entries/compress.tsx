import { Select } from '../../ui/controls.tsx';
import { textOf, type Tool } from '../operation.ts';

/** Makes a file smaller. */
export const compress: Tool = {
  slug: 'compress',
  name: 'Compress',
  text: 'Make a file smaller by lowering the resolution of its images.',
  icon: 'compress',
  group: 'Content',
  order: 5,
  action: 'Compress',
  suffix: 'compressed',
  comparesSize: true,
  initial: { dpi: '150' },
  request: (values, [file]) => ({
    path: '/v1/pdf/compress',
    body: { pdf: file?.id, image_dpi: Number(values['dpi']) },
  }),
  form: (values, set) => (
    <Select
      label="Resolution of images"
      value={textOf(values, 'dpi')}
      choices={[
        ['96', 'For the screen (96 dpi)'],
        ['150', 'For office printers (150 dpi)'],
        ['300', 'For print (300 dpi)'],
      ]}
      onValue={(dpi) => set({ dpi })}
    />
  ),
};
