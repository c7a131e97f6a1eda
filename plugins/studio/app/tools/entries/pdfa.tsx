import { PDFA_LEVELS } from '../../data/pdfa.ts';
import { Check, Field, Select } from '../../ui/controls.tsx';
import { filledIn, textOf, type Tool } from '../operation.ts';

/** Converts a file to PDF/A. */
export const pdfa: Tool = {
  slug: 'pdfa',
  name: 'Convert to PDF/A',
  text: 'Make a copy for long-term archives that contains all fonts and colour profiles.',
  icon: 'pdfa',
  group: 'Standards',
  order: 1,
  action: 'Convert',
  suffix: 'pdfa',
  hasProof: true,
  initial: { level: '2b', title: '', language: '', allow: false },
  request: (values, [file]) => ({
    path: '/v1/pdf/pdfa',
    body: {
      pdf: file?.id,
      level: values['level'],
      ...filledIn(values, ['title', 'language']),
      ...(values['allow'] === true && { allow_signature_loss: true }),
    },
  }),
  form: (values, set) => (
    <>
      <Select
        label="Level"
        value={textOf(values, 'level')}
        choices={PDFA_LEVELS}
        onValue={(level) => set({ level })}
      />
      <div class="form-grid">
        <Field label="Title (optional)" value={textOf(values, 'title')} onValue={(title) => set({ title })} />
        <Field
          label="Language (optional)"
          placeholder="en-GB"
          value={textOf(values, 'language')}
          onValue={(language) => set({ language })}
        />
      </div>
      <Check
        label="Convert a signed file"
        hint="Its signatures become images and can no longer be verified."
        checked={values['allow'] === true}
        onValue={(allow) => set({ allow })}
      />
    </>
  ),
};
