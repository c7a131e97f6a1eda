import { useEffect, useState } from 'preact/hooks';
import { get, post } from '../data/api.ts';
import { readTable, recordsOf } from './records/csv.ts';
import { formatCountOf } from '../data/format.ts';
import { readRecords } from './records/records.ts';
import { forget, useResource } from '../data/resource.ts';
import { useTemplateNames } from '../data/template-names.ts';
import type { Template } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, Field, Segments, Select, TextArea } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DropArea } from '../ui/drop-area.tsx';
import { FormError } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';

type Format = 'csv' | 'json';

/** Renders the form that starts a batch: a template, and the data of each document as JSON or as a table. */
export function NewBatch(props: { onClose: () => void; onStarted: () => void }) {
  const names = useTemplateNames();
  const [first] = names.keys();
  const [chosen, setChosen] = useState('');
  const [format, setFormat] = useState<Format>('json');
  const [text, setText] = useState<string>();
  const [table, setTable] = useState('');
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
  const schema = template.data?.schema ?? {};
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
          const records = format === 'json' ? readRecords(value) : readRows(table, schema);
          if (typeof records === 'string') return setError(records);
          void submit(() => start(records));
        }}
      >
        <Select label="Template" value={id} choices={[...names]} onValue={setChosen} />
        <Segments
          label="Format of the data"
          value={format}
          choices={[
            ['json', 'JSON'],
            ['csv', 'Spreadsheet (CSV)'],
          ]}
          onValue={(choice) => {
            setFormat(choice);
            setError('');
          }}
        />
        {format === 'json' ? (
          <TextArea
            label="Data"
            hint="Enter a JSON list with one object for each document, 100 at most."
            rows={12}
            isCode
            value={value}
            onValue={setText}
          />
        ) : (
          <TableFields value={table} schema={schema} onValue={setTable} onError={setError} />
        )}
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

function readRows(text: string, schema: Template['schema']): Record<string, unknown>[] | string {
  const table = readTable(text);
  return typeof table === 'string' ? table : recordsOf(table, schema);
}

function TableFields(props: {
  value: string;
  schema: Template['schema'];
  onValue: (text: string) => void;
  onError: (error: string) => void;
}) {
  const { value, schema, onValue, onError } = props;
  const read = async ([file]: File[]) => {
    if (!file) return;
    try {
      onValue(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
      onError('');
    } catch {
      onError(`${file.name} is not UTF-8. Save it as “CSV UTF-8”.`);
    }
  };
  return (
    <>
      <DropArea
        text="Drop a CSV file here"
        label="CSV file"
        accept=".csv,.tsv,.txt,text/csv"
        isMany={false}
        isBusy={false}
        onFiles={(files) => void read(files)}
      />
      <TextArea
        label="Table"
        hint="The first row names the variables, such as customer.name. Each other row is a document, 100 at most. Commas, semicolons and tabs separate values."
        rows={6}
        isCode
        value={value}
        onValue={onValue}
      />
      {value.trim() !== '' && <Preview text={value} schema={schema} />}
    </>
  );
}

const PREVIEW_ROWS = 3;

function Preview({ text, schema }: { text: string; schema: Template['schema'] }) {
  const table = readTable(text);
  const fault = typeof table === 'string' ? table : recordsOf(table, schema);
  if (typeof table === 'string' || typeof fault === 'string')
    return <FormError error={typeof fault === 'string' ? fault : ''} />;
  const { header, rows } = table;
  const missing = Object.keys(schema).filter(
    (name) => !header.some((column) => column === name || column.startsWith(`${name}.`)),
  );
  return (
    <section aria-label="Preview of the table" class="stack">
      <p class="soft">
        {formatCountOf(rows.length, 'document')}
        {rows.length > PREVIEW_ROWS && `, of which the first ${PREVIEW_ROWS} are shown`}.
        {missing.length > 0 && ` No column has the name ${missing.join(', ')}.`}
      </p>
      <div class="table-frame" tabIndex={0} role="group" aria-label="First rows">
        <table class="table compact">
          <thead>
            <tr>
              {header.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, PREVIEW_ROWS).map(({ line, cells }) => (
              <tr key={line}>
                {cells.map((cell, index) => (
                  <td key={header[index]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
