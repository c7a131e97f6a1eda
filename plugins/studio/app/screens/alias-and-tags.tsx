import { useState } from 'preact/hooks';
import { put } from '../data/api.ts';
import type { Template, TemplateSummary } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Field } from '../ui/controls.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

/** Changes the alias and the tags of a template. They belong to no version. */
export function AliasAndTags(props: {
  template: Pick<TemplateSummary, 'id' | 'name' | 'alias' | 'tags'>;
  onSaved: (change: Pick<Template, 'alias' | 'tags' | 'updated_at'>) => void;
  onClose: () => void;
}) {
  const { template } = props;
  const [alias, setAlias] = useState(template.alias ?? '');
  const [tags, setTags] = useState(template.tags.join(', '));
  const { isBusy, error, submit } = useSubmission();
  const save = async () => {
    const words = tags.split(',').map((tag) => tag.trim());
    const saved = await put<Template>(`/v1/templates/${template.id}`, {
      alias: alias.trim() || null,
      tags: [...new Set(words)].filter((tag) => tag !== ''),
    });
    props.onSaved({ alias: saved.alias, tags: saved.tags, updated_at: saved.updated_at });
    props.onClose();
  };
  return (
    <FormDialog
      title="Alias and tags"
      action="Save"
      isBusy={isBusy}
      error={error}
      onSubmit={() => void submit(save)}
      onClose={props.onClose}
    >
      <Field
        label="Alias"
        value={alias}
        onValue={setAlias}
        placeholder="invoice"
        maxLength={64}
        hint="A name that programs use in place of the id: lower-case letters, digits, - and _."
        autofocus
      />
      <Field
        label="Tags"
        value={tags}
        onValue={setTags}
        placeholder="sales, europe"
        hint="Words by which the list of templates is filtered, separated by commas."
      />
    </FormDialog>
  );
}
