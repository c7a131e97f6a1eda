import { useState } from 'preact/hooks';
import { put } from '../data/api.ts';
import type { Template } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, Field } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/states.tsx';

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
    <Dialog
      title="Rename the template"
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="rename" isBusy={isBusy}>
            Rename
          </Button>
        </>
      }
    >
      <form
        id="rename"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(rename);
        }}
      >
        <Field label="Name" value={name} onValue={setName} required maxLength={200} autofocus />
        <FormError error={error} />
      </form>
    </Dialog>
  );
}
