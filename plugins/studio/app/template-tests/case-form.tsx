import { useState } from 'preact/hooks';
import { put } from '../data/api.ts';
import { readObject } from '../data/read-object.ts';
import type { PageOptions, TemplateCase } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Field, TextArea } from '../ui/controls.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { MAX_NAME_LENGTH, pathOfCase } from './cases.ts';

/** The content with which the form of a case begins. An existing case keeps its name. */
export interface CaseDraft {
  name: string;
  isNew: boolean;
  data: Record<string, unknown>;
  options: PageOptions | null;
}

/** Asks for the name, the data and the page options of a case, and stores the case. */
export function CaseForm(props: {
  template: string;
  draft: CaseDraft;
  /** The names that other cases have. A new case must not replace one of them. */
  taken: readonly string[];
  onSaved: (saved: TemplateCase) => void;
  onClose: () => void;
}) {
  const { template, draft, taken } = props;
  const [name, setName] = useState(draft.name);
  const [data, setData] = useState(() => JSON.stringify(draft.data, null, 2));
  const [options, setOptions] = useState(() => (draft.options ? JSON.stringify(draft.options, null, 2) : ''));
  const { isBusy, error, setError, submit } = useSubmission();
  const save = async (body: object) => {
    props.onSaved(await put<TemplateCase>(pathOfCase(template, name.trim()), body));
    props.onClose();
  };
  const check = () => {
    const readData = readObject(data);
    const readOptions = options.trim() === '' ? null : readObject(options);
    if (draft.isNew && taken.includes(name.trim()))
      return setError(`There is already a case with the name “${name.trim()}”.`);
    if (!readData) return setError('The data must be a JSON object.');
    if (readOptions === undefined) return setError('The page options must be a JSON object.');
    void submit(() => save({ data: readData, ...(readOptions && { options: readOptions }) }));
  };
  return (
    <FormDialog
      title={draft.isNew ? 'New case' : 'Edit the case'}
      size="wide"
      action={draft.isNew ? 'Create the case' : 'Save the case'}
      isBusy={isBusy}
      error={error}
      onSubmit={check}
      onClose={props.onClose}
    >
      <Field
        label="Name"
        value={name}
        onValue={setName}
        placeholder="Long item names"
        required
        readOnly={!draft.isNew}
        maxLength={MAX_NAME_LENGTH}
        hint={draft.isNew ? 'It tells what the case covers, such as “No items” or “Two pages”.' : undefined}
        autofocus={draft.isNew}
      />
      <TextArea label="Data" rows={12} isCode value={data} onValue={setData} />
      <TextArea
        label="Page options (optional)"
        rows={3}
        isCode
        value={options}
        onValue={setOptions}
        placeholder={'{"format": "A5"}'}
        hint="JSON. These options take precedence over the options of the template."
      />
    </FormDialog>
  );
}
