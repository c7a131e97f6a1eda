import { Select, TextArea } from '../../ui/controls.tsx';
import { textOf, type Tool } from '../operation.ts';
import { readJson } from '../read-json.ts';

/** Embeds an invoice as data in a file. */
export const invoice: Tool = {
  slug: 'invoice',
  name: 'Make an electronic invoice',
  text: 'Embed the data of an invoice in its PDF, as Factur-X, ZUGFeRD or XRechnung.',
  icon: 'code',
  group: 'Electronic invoices',
  order: 1,
  action: 'Make the invoice',
  suffix: 'invoice',
  initial: { profile: 'en16931', data: '' },
  request: (values, [file]) => {
    const data = readJson(textOf(values, 'data'));
    if (typeof data !== 'object' || data === null) return 'Enter the data of the invoice in JSON.';
    return { path: '/v1/pdf/invoice', body: { pdf: file?.id, profile: values['profile'], data } };
  },
  form: (values, set) => (
    <>
      <Select
        label="Profile"
        value={textOf(values, 'profile')}
        choices={[
          ['en16931', 'EN 16931'],
          ['xrechnung', 'XRechnung'],
          ['extended', 'Extended'],
          ['basic', 'Basic'],
          ['basic_wl', 'Basic WL'],
          ['minimum', 'Minimum'],
        ]}
        onValue={(profile) => set({ profile })}
      />
      <TextArea
        label="Data"
        hint="The invoice in JSON, as the guide to electronic invoices describes it."
        rows={12}
        isCode
        placeholder={'{ "ubl:Invoice": { "cbc:ID": "2026-0042", … } }'}
        value={String(values['data'])}
        onValue={(data) => set({ data })}
      />
    </>
  ),
};
