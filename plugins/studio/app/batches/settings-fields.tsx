import { Field, Segments, Select } from '../ui/controls.tsx';
import type { BatchSettings } from './send-batch.ts';

/** How the documents of a batch are delivered, and how invalid records are treated. */
export type Delivery = Omit<BatchSettings, 'template'>;

/** Renders the language of a template that has several, and the fields of the delivery. */
export function SettingsFields(props: {
  value: Delivery;
  languages: readonly (readonly [tag: string, name: string])[];
  onValue: (value: Delivery) => void;
}) {
  const { value, languages, onValue } = props;
  return (
    <>
      {languages.length > 0 && (
        <Select
          label="Language"
          hint="The default is the field locale of each record, or else the default of the template."
          value={value.locale}
          choices={languages}
          onValue={(locale) => onValue({ ...value, locale })}
        />
      )}
      <Segments
        label="Result"
        value={value.result}
        choices={[
          ['links', 'Separate PDFs'],
          ['zip', 'Also a ZIP archive'],
          ['pdf', 'Also one PDF'],
        ]}
        onValue={(result) => onValue({ ...value, result })}
      />
      <Field
        label="File names (optional)"
        hint="A template with the fields of the data, such as Invoice {{number}}."
        value={value.fileName}
        maxLength={1000}
        onValue={(fileName) => onValue({ ...value, fileName })}
      />
      <Segments
        label="Invalid records"
        value={value.onInvalid}
        choices={[
          ['reject', 'Stop if a record is invalid'],
          ['skip', 'Leave invalid records out'],
        ]}
        onValue={(onInvalid) => onValue({ ...value, onInvalid })}
      />
      <Field
        label="Webhook (optional)"
        hint="A URL that receives an event when the batch has ended."
        type="url"
        value={value.webhook}
        maxLength={2000}
        onValue={(webhook) => onValue({ ...value, webhook })}
      />
    </>
  );
}
