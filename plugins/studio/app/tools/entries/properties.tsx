import { Field } from '../../ui/controls.tsx';
import { filledIn, textOf, type Tool } from '../operation.ts';

const PROPERTIES = [
  ['title', 'Title'],
  ['author', 'Author'],
  ['subject', 'Subject'],
  ['language', 'Language'],
] as const;

/** Writes the title, the author and other properties. */
export const properties: Tool = {
  slug: 'properties',
  name: 'Change properties',
  text: 'Write the title, the author, the subject and the language of a file.',
  icon: 'number',
  group: 'Properties',
  order: 2,
  action: 'Write the properties',
  suffix: 'properties',
  initial: Object.fromEntries(PROPERTIES.map(([name]) => [name, ''])),
  request: (values, [file]) => {
    const set = filledIn(
      values,
      PROPERTIES.map(([name]) => name),
    );
    if (Object.keys(set).length === 0) return 'Enter at least one property.';
    return { path: '/v1/pdf/properties', body: { pdf: file?.id, set } };
  },
  form: (values, set) => (
    <div class="form-grid">
      {PROPERTIES.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          hint="Empty: unchanged."
          value={textOf(values, name)}
          onValue={(value) => set({ [name]: value })}
        />
      ))}
    </div>
  ),
};
