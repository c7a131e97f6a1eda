import { useState } from 'preact/hooks';
import { put } from '../data/api.ts';
import type { Template } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Field } from '../ui/controls.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

/** Changes the name of a template. The name belongs to no version. */
export function RenameDialog(props: {
  template: Pick<Template, 'id' | 'name'>;
  onRenamed: (change: Pick<Template, 'name' | 'updated_at'>) => void;
  onClose: () => void;
}) {
  const { template } = props;
  const [name, setName] = useState(template.name);
  const { isBusy, error, submit } = useSubmission();
  const rename = async () => {
    const saved = await put<Template>(`/v1/templates/${template.id}`, { name: name.trim() });
    props.onRenamed({ name: saved.name, updated_at: saved.updated_at });
    props.onClose();
  };
  return (
    <FormDialog
      title="Rename the template"
      action="Rename"
      isBusy={isBusy}
      error={error}
      onSubmit={() => void submit(rename)}
      onClose={props.onClose}
    >
      <Field label="Name" value={name} onValue={setName} required maxLength={200} autofocus />
    </FormDialog>
  );
}
