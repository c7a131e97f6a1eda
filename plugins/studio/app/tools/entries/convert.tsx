import { Field, Select } from '../../ui/controls.tsx';
import { filledIn, textOf, type Tool } from '../operation.ts';

/** Makes a PDF from an office document. */
export const convert: Tool = {
  slug: 'convert',
  name: 'Convert to PDF',
  text: 'Make a PDF from a text, spreadsheet, presentation, drawing or image.',
  icon: 'pdfa',
  group: 'Content',
  order: 0,
  action: 'Convert to PDF',
  accepts: {
    types:
      '.docx,.doc,.odt,.rtf,.txt,.xlsx,.xls,.ods,.csv,.pptx,.ppt,.ppsx,.odp,.vsdx,.vsd,.odg,.png,.jpg,.jpeg',
    one: 'document',
  },
  initial: { pages: '', password: '', orientation: '' },
  request: (values, [file]) => {
    const orientation = textOf(values, 'orientation');
    return {
      path: '/v1/pdf/convert',
      body: {
        file: file?.id,
        ...filledIn(values, ['pages', 'password']),
        ...(orientation !== '' && { landscape: orientation === 'landscape' }),
      },
    };
  },
  form: (values, set) => (
    <>
      <Field
        label="Pages"
        hint="Such as 1-3,5. Leave the field empty for all pages."
        value={String(values['pages'])}
        onValue={(pages) => set({ pages })}
      />
      <Select
        label="Orientation"
        value={textOf(values, 'orientation')}
        choices={[
          ['', 'As in the document'],
          ['portrait', 'Portrait'],
          ['landscape', 'Landscape'],
        ]}
        onValue={(orientation) => set({ orientation })}
      />
      <Field
        label="Password of the document"
        hint="Only for an encrypted document."
        type="password"
        autocomplete="off"
        value={String(values['password'])}
        onValue={(password) => set({ password })}
      />
    </>
  ),
};
