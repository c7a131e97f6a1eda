import { Field, Select } from '../../ui/controls.tsx';
import { textOf, type Tool } from '../operation.ts';

/** Writes text on every page. */
export const watermark: Tool = {
  slug: 'watermark',
  name: 'Watermark',
  text: 'Write text across every page.',
  icon: 'watermark',
  group: 'Content',
  order: 1,
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
