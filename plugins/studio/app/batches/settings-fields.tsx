import { Field, Segments } from '../ui/controls.tsx';
import type { BatchSettings } from './send-batch.ts';

/** How the documents of a batch are delivered, and how invalid records are treated. */
export type Delivery = Omit<BatchSettings, 'template'>;

/** Renders the fields of the delivery. */
export function SettingsFields({ value, onValue }: { value: Delivery; onValue: (value: Delivery) => void }) {
  return (
    <>
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
    </>
  );
}
