import { TextArea } from '../../ui/controls.tsx';
import { textOf, type Tool } from '../operation.ts';
import { readJson } from '../read-json.ts';

const FIELD = { name: 'Customer', type: 'text', page: 0, x: 72, y: 72, width: 200, height: 20 };

/** Adds form fields. */
export const addFields: Tool = {
  slug: 'add-fields',
  name: 'Add form fields',
  text: 'Add text fields, checkboxes, lists and signature fields to a file.',
  icon: 'plus',
  group: 'Forms',
  order: 2,
  action: 'Add the fields',
  suffix: 'form',
  isOffered: ({ plugins }) => plugins.includes('forms'),
  initial: { fields: JSON.stringify([FIELD], null, 2) },
  request: (values, [file]) => {
    const fields = readJson(textOf(values, 'fields'));
    if (!Array.isArray(fields)) return 'The fields must be a list in JSON.';
    return { path: '/v1/pdf/forms/add-fields', body: { pdf: file?.id, fields } };
  },
  form: (values, set) => (
    <TextArea
      label="Fields"
      hint="A list in JSON. Pages count from 0; x and y are points from the lower left corner of the page."
      rows={12}
      isCode
      value={String(values['fields'])}
      onValue={(fields) => set({ fields })}
    />
  ),
};
