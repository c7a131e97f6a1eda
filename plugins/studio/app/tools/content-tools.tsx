import { Field, Select } from '../ui/controls.tsx';
import { textOf, type Tool } from './operation.ts';

/** Makes a file smaller. */
export const compress: Tool = {
  slug: 'compress',
  name: 'Compress',
  text: 'Make a file smaller by lowering the resolution of its images.',
  icon: 'compress',
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

/** Writes text on every page. */
export const watermark: Tool = {
  slug: 'watermark',
  name: 'Watermark',
  text: 'Write text across every page.',
  icon: 'watermark',
  action: 'Add the watermark',
  suffix: 'watermarked',
  initial: { text: 'DRAFT', layer: 'over', opacity: '0.15' },
  request: (values, [file]) =>
    textOf(values, 'text') === ''
      ? 'Enter the text of the watermark.'
      : {
          path: '/v1/pdf/watermark',
          body: {
            pdf: file?.id,
            text: textOf(values, 'text'),
            layer: values['layer'],
            opacity: Number(values['opacity']),
          },
        },
  form: (values, set) => (
    <>
      <Field label="Text" value={textOf(values, 'text')} onValue={(text) => set({ text })} />
      <div class="form-grid">
        <Select
          label="Layer"
          value={textOf(values, 'layer')}
          choices={[
            ['over', 'Above the content'],
            ['under', 'Below the content'],
          ]}
          onValue={(layer) => set({ layer })}
        />
        <Select
          label="Opacity"
          value={textOf(values, 'opacity')}
          choices={[
            ['0.1', 'Light'],
            ['0.15', 'Medium'],
            ['0.35', 'Strong'],
          ]}
          onValue={(opacity) => set({ opacity })}
        />
      </div>
    </>
  ),
};

/** Turns form fields and comments into fixed content. */
export const flatten: Tool = {
  slug: 'flatten',
  name: 'Flatten',
  text: 'Turn form fields and comments into fixed content.',
  icon: 'flatten',
  action: 'Flatten',
  suffix: 'flattened',
  initial: {},
  request: (_, [file]) => ({ path: '/v1/pdf/flatten', body: { pdf: file?.id } }),
};
