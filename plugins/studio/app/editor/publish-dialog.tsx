import { useState } from 'preact/hooks';
import { post, put } from '../data/api.ts';
import { CATEGORIES } from '../data/api-types.ts';
import { capitalise } from '../data/format.ts';
import type { Template } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, Select } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/states.tsx';

const CHOICES = CATEGORIES.map((name) => [name, capitalise(name)] as const);

/** Asks for confirmation before a template becomes public, and for the category under which it is listed. */
export function PublishDialog(props: {
  template: Template;
  hasChanges: boolean;
  onPublished: (change: Partial<Template>) => void;
  onClose: () => void;
}) {
  const { template } = props;
  const [category, setCategory] = useState(template.category);
  const { isBusy, error, submit } = useSubmission();
  const publish = async () => {
    if (category !== template.category) await put(`/v1/templates/${template.id}`, { category });
    await post(`/v1/marketplace/${template.id}/publish`);
    props.onPublished({ is_public: true, category });
    props.onClose();
  };
  return (
    <Dialog
      title="Publish this template?"
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => void submit(publish)}>
            Publish
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="soft">
          Every account of this server can see and copy “{template.name}” with its sample data and the assets
          that it uses. Versions that you save later are public too; publish again to update the assets.
          {template.draft_version !== null && ' The draft is not.'}
          {props.hasChanges && ' Your unsaved changes are not.'}
        </p>
        <Select label="Category" value={category} choices={CHOICES} onValue={setCategory} />
        <FormError error={error} />
      </div>
    </Dialog>
  );
}
