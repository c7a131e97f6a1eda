import { useState } from 'preact/hooks';
import { post, reasonOf } from '../data/api.ts';
import { forget } from '../data/resource.ts';
import { navigate } from '../router.ts';
import { Button, Select } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/states.tsx';

const titled = (names: string[]) =>
  names.map((name) => [name, name.charAt(0).toUpperCase() + name.slice(1)] as const);
const TYPES = titled(['invoice', 'receipt', 'report', 'certificate', 'letter', 'resume', 'other']);
const STYLES = titled(['professional', 'modern', 'minimal', 'colorful']);

/** Has a template written by a language model, stores it and opens it. */
export function DraftWithAi({ onClose }: { onClose: () => void }) {
  const [prompt, setPrompt] = useState('');
  const [type, setType] = useState('invoice');
  const [style, setStyle] = useState('professional');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const draft = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      const { html } = await post<{ html: string }>('/v1/ai/generate-template', { prompt, type, style });
      // A template without sample data is of use, too.
      const { data } = await post<{ data: object }>('/studio/api/sample-data', { html_content: html }).catch(
        () => ({ data: {} }),
      );
      const name = prompt.split('\n')[0]?.slice(0, 60) ?? 'Draft';
      const { id } = await post<{ id: string }>('/v1/templates', {
        name,
        html_content: html,
        category: type,
        sample_data: data,
      });
      forget('templates');
      onClose();
      navigate(`/studio/templates/${id}`);
    } catch (problem) {
      setError(reasonOf(problem));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Draft with AI" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void draft(event)}>
        <label class="field">
          <span class="label">What should the document contain?</span>
          <textarea
            class="input"
            rows={5}
            required
            maxLength={2000}
            value={prompt}
            placeholder="An invoice of a design studio with a project name, hours per task, VAT and bank details."
            onInput={(event) => setPrompt(event.currentTarget.value)}
          />
        </label>
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
