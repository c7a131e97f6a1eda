import { useEffect, useState } from 'preact/hooks';
import { get, post } from '../data/api.ts';
import { readRecords } from '../data/records.ts';
import { forget, useResource } from '../data/resource.ts';
import { useTemplateNames } from '../data/template-names.ts';
import type { Template } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, Field, Select, TextArea } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';

/** Renders the form that starts a batch: a template, and the data of each document. */
export function NewBatch(props: { onClose: () => void; onStarted: () => void }) {
  const names = useTemplateNames();
  const [first] = names.keys();
  const [chosen, setChosen] = useState('');
  const [text, setText] = useState<string>();
  const [reference, setReference] = useState('');
  const { isBusy, error, setError, submit } = useSubmission();
  const id = chosen || (first ?? '');
  const template = useResource(id === '' ? undefined : `template ${id}`, (signal) =>
    get<Template>(`/v1/templates/${id}`, signal),
  );
  const sample = template.data && JSON.stringify([template.data.sample_data ?? {}], null, 2);
  // Another template discards the edited text, so its sample data is shown.
  useEffect(() => setText(undefined), [id]);
  const value = text ?? sample ?? '';
  const start = async (records: Record<string, unknown>[]) => {
    const items = records.map((data) => ({
      template: id,
      data,
      ...(template.data?.options && { options: template.data.options }),
      ...(reference.trim() && { reference: reference.trim() }),
    }));
    await post('/v1/generate/batch', { items });
    forget('generations');
    toast('The batch was started.');
    props.onStarted();
    props.onClose();
  };
  return (
    <Dialog title="New batch" size="wide" onClose={props.onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const records = readRecords(value);
          if (typeof records === 'string') return setError(records);
          void submit(() => start(records));
        }}
      >
        <Select label="Template" value={id} choices={[...names]} onValue={setChosen} />
        <TextArea
          label="Data"
          hint="Enter a JSON list with one object for each document, 100 at most."
          rows={12}
          isCode
          value={value}
          onValue={setText}
        />
        <Field
          label="Reference (optional)"
          hint="You can find the documents by their reference under Generations."
          value={reference}
          onValue={setReference}
          maxLength={200}
        />
        <FormError error={error} />
        <div class="row end">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={id === '' || !template.data}>
            Start the batch
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
