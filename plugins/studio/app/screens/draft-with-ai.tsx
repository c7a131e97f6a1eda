import { useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { CATEGORIES } from '../data/api-types.ts';
import { capitalise } from '../data/format.ts';
import { forget } from '../data/resource.ts';
import { navigate } from '../router.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, Select, TextArea } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/states.tsx';

const titled = (names: readonly string[]) => names.map((name) => [name, capitalise(name)] as const);
const TYPES = titled(CATEGORIES);
const STYLES = titled(['professional', 'modern', 'minimal', 'colorful']);

/** Renders the form that has a language model write a template, stores the template and opens it. */
export function DraftWithAi({ onClose }: { onClose: () => void }) {
  const [prompt, setPrompt] = useState('');
  const [type, setType] = useState('invoice');
  const [style, setStyle] = useState('professional');
  const { isBusy, error, submit } = useSubmission();
  const draft = async () => {
    const { html } = await post<{ html: string }>('/v1/ai/generate-template', { prompt, type, style });
    // A template is useful even without sample data.
    const { data } = await post<{ data: object }>('/studio/api/sample-data', { html_content: html }).catch(
      () => ({ data: {} }),
    );
    const [firstLine = ''] = prompt.trim().split('\n');
    const { id } = await post<{ id: string }>('/v1/templates', {
      name: firstLine.slice(0, 60) || 'Draft',
      html_content: html,
      category: type,
      sample_data: data,
    });
    forget('templates');
    onClose();
    navigate(`/studio/templates/${id}`);
  };
  return (
    <Dialog title="Draft with AI" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(draft);
        }}
      >
        <TextArea
          label="What should the document contain?"
          rows={5}
          required
          maxLength={2000}
          value={prompt}
          placeholder="An invoice of a design studio with a project name, hours per task, VAT and bank details."
          onValue={setPrompt}
        />
        <div class="form-grid">
          <Select label="Document" value={type} choices={TYPES} onValue={setType} />
          <Select label="Style" value={style} choices={STYLES} onValue={setStyle} />
        </div>
        <FormError error={error} />
        <Button kind="primary" size="large" type="submit" isBusy={isBusy}>
          {isBusy ? 'Writing, this can take a minute…' : 'Write the template'}
        </Button>
      </form>
    </Dialog>
  );
}
