import { Field } from '../../ui/controls.tsx';
import { filledIn, textOf, type Tool } from '../operation.ts';

/** Makes a tagged file accessible. */
export const accessible: Tool = {
  slug: 'accessible',
  name: 'Make accessible',
  text: 'Repair a tagged file for people who use screen readers (PDF/UA).',
  icon: 'pdfa',
  group: 'Standards',
  order: 4,
  action: 'Make accessible',
  suffix: 'accessible',
  hasProof: true,
  initial: { title: '', language: '' },
  request: (values, [file]) => ({
    path: '/v1/pdf/accessible',
    body: { pdf: file?.id, ...filledIn(values, ['title', 'language']) },
  }),
  form: (values, set) => (
    <div class="form-grid">
      <Field label="Title (optional)" value={textOf(values, 'title')} onValue={(title) => set({ title })} />
      <Field
        label="Language (optional)"
        placeholder="en-GB"
        value={textOf(values, 'language')}
        onValue={(language) => set({ language })}
      />
    </div>
  ),
};
